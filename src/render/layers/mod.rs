//! The layers behind AWS WAF: TypeScript that people read, own and deploy, with the infrastructure it
//! needs and tests of its own.
//!
//! The code is constant text under `assets/layers/LAYER/`; what the policy says stands in generated files
//! beside it: `src/config.ts`, the values of the infrastructure, and `test/vectors.json` with the
//! decisions of [`crate::limiters`].

mod app;
mod literal;
mod scenarios;
mod vectors;

pub use app::app;

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

/// `src/config.ts`: the only TypeScript that is generated.
fn config(source: &str, value: &serde_json::Value) -> String {
    let mut out = String::new();
    let about = format!(
        "Written by ratewaf emit --layer, from {source}: change the limits there and emit again."
    );
    for line in super::comment::lines(&about) {
        out.push_str("// ");
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str("\nimport type { Config } from './types.js';\n\nexport const config: Config = ");
    literal::write(value, 0, &mut out);
    out.push_str(";\n");
    out
}

/// JSON with a newline at its end.
fn json(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}
