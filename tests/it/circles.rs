//! No two files need each other, however long the way around. What a file passes on with `pub use` it does
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
    let lines = code.lines().map(|line| line.split("//").next().unwrap());
    let code = lines.collect::<Vec<_>>().join("\n");
    code.split('"').step_by(2).collect::<Vec<_>>().join("\"\"")
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
        let (mut house, mut files) = (Self::default(), Vec::new());
        super::rooms::files(Path::new("src"), &mut files);
        for file in files {
            let module = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
            let module: Module = module.split('/').filter(|name| *name != "lib").map(str::to_owned).collect();
            if !module.last().is_some_and(|name| FOR_TESTS.contains(&name.as_str())) {
                house.code.insert(module, bare(&fs::read_to_string(&file).unwrap()));
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
fn no_two_files_need_each_other() {
    let house = House::read();
    let needs: BTreeMap<Module, BTreeSet<Module>> =
        house.code.iter().map(|(module, code)| (module.clone(), house.needed(module, code))).collect();
    let count: usize = needs.values().map(BTreeSet::len).sum();
    assert!(needs.len() > 200 && count > 1000, "{} files, {count} ways", needs.len());
    let round = needs.keys().filter(|module| {
        let mut seen = BTreeSet::new();
        reached(module, &needs, &mut seen);
        seen.contains(module)
    });
    let round: Vec<String> = round.map(|module| module.join("::")).collect();
    assert_eq!(round, [""; 0]);
}
