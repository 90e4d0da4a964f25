//! The layers behind AWS WAF: TypeScript that people read, own and deploy, with the infrastructure it
//! needs and tests of its own.
//!
//! The code is constant text under `assets/layers/LAYER/`; what the policy says stands in generated files
//! beside it: `src/config.ts`, the values of the infrastructure, and `test/vectors.json` with the
//! decisions of [`crate::limiters`].

mod app;
mod edge;
mod gateway;
mod literal;
mod scenarios;
mod vectors;
mod windows;

pub use app::app;
pub use edge::edge;
pub use gateway::gateway;

/// A constant file: where it is written, and its text.
type Asset = (&'static str, &'static str);

/// Constant files of a folder below `assets/layers/`.
macro_rules! assets {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$((
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/layers/", $folder, "/", $name)),
        )),+]
    };
}

use assets;

/// Constant files below a folder, as they are written.
fn below<'a>(
    folder: &'a str,
    assets: &'a [Asset],
) -> impl Iterator<Item = (String, String)> + use<'a> {
    assets.iter().map(move |(name, text)| (format!("{folder}/{name}"), (*text).to_owned()))
}

/// The policy's file as it is named in what is emitted: paths differ between machines.
fn source(policy: &crate::policy::Policy) -> String {
    let source = std::path::Path::new(policy.file_name());
    source.file_name().map_or_else(String::new, |name| name.to_string_lossy().into())
}

/// `src/config.ts`: the only TypeScript that is generated. `types` is the module that says what it holds.
fn config(source: &str, types: &str, value: &serde_json::Value) -> String {
    let mut out = String::new();
    let about = format!(
        "Written by ratewaf emit --layer, from {source}: change the limits there and emit again."
    );
    for line in super::comment::lines(&about) {
        out.push_str("// ");
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(&format!(
        "\nimport type {{ Config }} from './{types}.js';\n\nexport const config: Config = "
    ));
    literal::write(value, 0, &mut out);
    out.push_str(";\n");
    out
}

/// JSON with a newline at its end.
fn json(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

/// That a list of assets is all that a folder below `assets/layers/` holds.
#[cfg(test)]
fn assert_all_listed(folder: &str, assets: &[Asset]) {
    use std::collections::BTreeSet;
    use std::path::Path;

    fn walk(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.insert(path.display().to_string());
            }
        }
    }

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/layers").join(folder);
    let mut found = BTreeSet::new();
    walk(&root, &mut found);
    let listed = assets.iter().map(|(name, _)| root.join(name).display().to_string());
    assert_eq!(found, listed.collect::<BTreeSet<_>>());
}
