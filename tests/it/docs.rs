//! Documents agree with the program. `CITESCOPE_WRITE_DOCS=1 cargo test --test docs` renews what is generated.

use citescope::cli::SAMPLES;
use citescope::tui::keymap;

#[test]
fn the_readme_has_the_keys_of_the_table() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let (before, rest) = readme.split_once("<!-- keys -->\n").unwrap();
    let (keys, after) = rest.split_once("<!-- /keys -->").unwrap();
    if std::env::var_os("CITESCOPE_WRITE_DOCS").is_some() {
        std::fs::write("README.md", format!("{before}<!-- keys -->\n{}<!-- /keys -->{after}", keymap::markdown())).unwrap();
    } else {
        assert_eq!(keys, keymap::markdown());
    }
}

#[test]
fn every_sample_is_built_in_and_listed() {
    let list = std::fs::read_to_string("samples/README.md").unwrap();
    let mut files: Vec<String> =
        std::fs::read_dir("samples").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.retain(|name| name != "README.md");
    files.sort();
    let mut built_in: Vec<String> = SAMPLES.iter().map(|(name, _)| (*name).to_owned()).collect();
    built_in.sort();
    assert_eq!(files, built_in);
    for name in files {
        assert!(list.contains(&format!("| `{name}` |")), "{name} is not in samples/README.md");
    }
}
