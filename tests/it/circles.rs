//! No import cycles between files. What a file passes on with `pub use` it does
//! not need; whoever imports it from there needs the file that declares it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module by its path from the crate's root.
type Module = Vec<String>;

#[derive(Default)]
struct House {
    /// The code of each module, without comments, texts and tests.
    code: BTreeMap<Module, String>,
    /// Where a name of a module comes from.
    names: BTreeMap<(Module, String), Module>,
}

/// Code without comments, texts and the tests at its end.
fn bare(code: &str) -> String {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '\'', '/', 'r']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let length = match from.as_bytes() {
            [b'/', b'/', ..] => from.find('\n').unwrap_or(from.len()),
            [b'"', ..] => text_length(from),
            [b'r', b'#' | b'"', ..] if !before.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                let hashes = from[1..].len() - from[1..].trim_start_matches('#').len();
                let end = format!("\"{}", "#".repeat(hashes));
                let begin = hashes + 2;
                from[begin..].find(&end).map_or(from.len(), |at| begin + at + end.len())
            }
            // A character, or the name of a lifetime.
            [b'\'', b'\\', ..] => 3 + from[3..].find('\'').map_or(0, |at| at),
            [b'\'', b'"' | b'/', ..] => 3,
            _ => {
                out.push_str(&from[..1]);
                1
            }
        };
        rest = &from[length..];
    }
    out + rest
}

/// Bytes of a text that begins with its quotation mark.
fn text_length(from: &str) -> usize {
    let mut escaped = false;
    let end = from[1..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(from.len(), |at| at + 2)
}

/// Each path of an import: `a::{b, c::{self, d}}` is `a::b`, `a::c`, `a::c::d`.
fn paths(tree: &str) -> Vec<String> {
    let Some((lead, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (mut out, mut depth, mut item) = (Vec::new(), 0, String::new());
    for c in rest[..rest.rfind('}').unwrap()].chars().chain([',']) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c != ',' || depth > 0 {
            item.push(c);
        } else if !item.is_empty() {
            let item = std::mem::take(&mut item);
            let whole = if item == "self" { vec![String::new()] } else { paths(&item) };
            out.extend(whole.iter().map(|inner| format!("{lead}{inner}").trim_end_matches("::").to_owned()));
        }
    }
    out
}

/// The imports of a module, and whether it passes them on.
fn imports(code: &str) -> Vec<(bool, String)> {
    let mut out = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].rsplit(['\n', ';', '}']).next().unwrap().trim();
        let Some((tree, _)) = code[at + 4..].split_once(';') else { continue };
        if before.is_empty() || before.starts_with("pub") {
            let tree: String = tree.replace(" as ", "@").split_whitespace().collect();
            out.extend(paths(&tree).into_iter().map(|path| (!before.is_empty(), path)));
        }
    }
    out
}

/// Files that only tests need.
const FOR_TESTS: [&str; 3] = ["testing", "tests", "schema"];

impl House {
    fn read() -> Self {
        let mut files = Vec::new();
        super::rooms::files(Path::new("src"), &mut files);
        Self::of(
            files.iter().map(|file| (file.trim_start_matches("src/"), fs::read_to_string(file).unwrap())),
        )
    }

    fn of<'f>(files: impl Iterator<Item = (&'f str, String)>) -> Self {
        let mut house = Self::default();
        for (file, code) in files {
            let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
            let module: Module = module.split('/').filter(|name| *name != "lib").map(str::to_owned).collect();
            if !module.last().is_some_and(|name| FOR_TESTS.contains(&name.as_str())) {
                house.code.insert(module, bare(&code));
            }
        }
        for (module, code) in &house.code {
            for (_, path) in imports(code) {
                let name = path.rsplit(['@', ':']).next().unwrap().to_owned();
                let whole = house.absolute(module, path.split('@').next().unwrap());
                house.names.extend(whole.map(|whole| ((module.clone(), name), whole)));
            }
        }
        house
    }

    /// The modules from which a way leads back to themselves, and how many ways there are.
    fn cycles(&self) -> (Vec<String>, usize) {
        let needs: BTreeMap<Module, BTreeSet<Module>> =
            self.code.iter().map(|(module, code)| (module.clone(), self.needed(module, code))).collect();
        let round = needs.keys().filter(|module| {
            let mut seen = BTreeSet::new();
            reached(module, &needs, &mut seen);
            seen.contains(module)
        });
        (round.map(|module| module.join("::")).collect(), needs.values().map(BTreeSet::len).sum())
    }

    /// A path from the root, of one as a module writes it; nothing where it leads out of the crate.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut steps: Vec<&str> = path.split("::").collect();
        let ups = steps.iter().take_while(|step| **step == "super").count();
        let mut base = match steps.first()? {
            &"crate" => Module::new(),
            &"super" => module[..module.len().checked_sub(ups)?].to_vec(),
            &"self" => module.clone(),
            child => {
                let below = [module.as_slice(), &[(*child).to_owned()]].concat();
                return self.code.contains_key(&below).then(|| {
                    [module.as_slice(), &steps.iter().map(|&step| step.to_owned()).collect::<Vec<_>>()]
                        .concat()
                });
            }
        };
        steps.drain(..ups.max(1));
        base.extend(steps.iter().filter(|step| **step != "*").map(|&step| step.to_owned()));
        Some(base)
    }

    /// The module that declares what a path names.
    fn declaring(&self, path: &[String], depth: usize) -> Option<Module> {
        let known = (0..=path.len()).rev().find(|&length| self.code.contains_key(&path[..length]))?;
        let (module, rest) = (path[..known].to_vec(), &path[known..]);
        let passed = rest.first().and_then(|name| self.names.get(&(module.clone(), name.clone())));
        match passed.filter(|passed| depth < 9 && passed.as_slice() != path) {
            Some(passed) => self.declaring(&[passed.as_slice(), &rest[1..]].concat(), depth + 1),
            None => Some(module),
        }
    }

    /// The modules that a module needs.
    fn needed(&self, module: &Module, code: &str) -> BTreeSet<Module> {
        let imported = imports(code).into_iter().filter(|(passed_on, _)| !passed_on).map(|(_, path)| path);
        let mut named: Vec<String> =
            imported.map(|path| path.split('@').next().unwrap().to_owned()).collect();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        // Imports were looked at; what is left are paths in the code.
        let statements = code.split_inclusive(';').filter(|part| {
            let last = part.rsplit('\n').find(|line| line.contains("use ")).unwrap_or_default().trim_start();
            !(last.starts_with("use ") || last.starts_with("pub"))
        });
        for statement in statements {
            let words = statement.split(|c| !is_part(c)).filter(|word| word.contains("::"));
            named.extend(words.map(|word| word.trim_matches(':').to_owned()));
        }
        let whole = named.iter().filter_map(|path| self.absolute(module, path));
        whole.filter_map(|path| self.declaring(&path, 0)).filter(|other| other != module).collect()
    }
}

/// What can be reached from a module.
fn reached<'n>(
    from: &'n Module,
    needs: &'n BTreeMap<Module, BTreeSet<Module>>,
    seen: &mut BTreeSet<&'n Module>,
) {
    for next in needs.get(from).into_iter().flatten() {
        if seen.insert(next) {
            reached(next, needs, seen);
        }
    }
}

#[test]
fn imports_are_told_as_they_are_written() {
    let code = bare(
        "use super::a::{self, b::{C, D as E}, f};\npub use g::H; // use not::this;\nlet x = \"use q;\";",
    );
    let told = ["super::a", "super::a::b::C", "super::a::b::D@E", "super::a::f"]
        .map(|path| (false, path.to_owned()));
    assert_eq!(imports(&code), [&told[..], &[(true, "g::H".to_owned())]].concat());
}

#[test]
fn a_cycle_is_found_however_it_is_written() {
    let cycles = |files: &[(&'static str, &str)]| {
        House::of(files.iter().map(|(name, code)| (*name, (*code).to_owned()))).cycles().0
    };
    let root = ("lib.rs", "pub mod a;\nmod b;");
    assert_eq!(
        cycles(&[root, ("a/mod.rs", "mod c;\npub use c::C;"), ("a/c.rs", "use crate::b::B;"), ("b.rs", "")]),
        [""; 0]
    );
    let b = ("b.rs", "const Q: char = '\"'; // \"\nuse super::a::C;");
    let through = cycles(&[root, ("a/mod.rs", "mod c;\npub use c::C;"), ("a/c.rs", "use crate::b::B;"), b]);
    assert_eq!(through, ["a::c", "b"]);
    let path = ("a/mod.rs", "use crate::b;\nfn f() { b::g(\"https://x\") }");
    assert_eq!(cycles(&[root, path, ("b.rs", "fn g() { crate::a::f() }")]), ["a", "b"]);
}

#[test]
fn no_two_files_need_each_other() {
    let house = House::read();
    let (cycles, ways) = house.cycles();
    assert!(house.code.len() > 200 && ways > 1000, "{} files, {ways} ways", house.code.len());
    assert_eq!(cycles, [""; 0]);
}
