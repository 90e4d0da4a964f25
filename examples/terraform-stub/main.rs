//! Serves the stub providers of the tests, to try Terraform by hand with a provider that is not there:
//!
//! ```console
//! $ cargo run --example terraform-stub -- tests/fixtures/provider-schemas/aws-6.69.1.json.gz
//! export TF_REATTACH_PROVIDERS='{"hashicorp/aws":...}'
//! ```
//!
//! Set the variable in another terminal and run `terraform plan` there; no `init`. It serves until it
//! is stopped. A file is named after its provider and version; `aws.behaviour.json` beside it says what
//! a schema cannot.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of its own")]

mod stub;

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use stub::{Behaviour, Provider, Stub, reattach, serve};

fn read(file: &Path) -> Result<(String, Stub), String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let short = name.split('-').next().unwrap_or_default().to_owned();
    let provider = std::fs::read(file).map_err(|error| fault(&error))?;
    let provider = Provider::from_gzip(&provider).map_err(|error| fault(&error))?;
    let beside = file.with_file_name(format!("{short}.behaviour.json"));
    let behaviour = std::fs::read_to_string(&beside).unwrap_or_else(|_| "{}".to_owned());
    let behaviour = Behaviour::from_json(&behaviour).map_err(|error| fault(&error))?;
    Ok((format!("hashicorp/{short}"), Stub::new(provider, behaviour)))
}

async fn run(files: &[String]) -> Result<(), String> {
    let mut entries = BTreeMap::new();
    let mut serving = Vec::new();
    for file in files {
        let (name, stub) = read(Path::new(file))?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        entries.insert(name, reattach(address));
        serving.push(tokio::spawn(serve(Arc::new(stub), listener)));
    }
    let entries = serde_json::to_string(&entries).map_err(|error| error.to_string())?;
    println!("export TF_REATTACH_PROVIDERS='{entries}'");
    for one in serving {
        one.await.map_err(|error| error.to_string())??;
    }
    Ok(())
}

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: terraform-stub SCHEMA.json.gz ...");
        return ExitCode::from(2);
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string());
    match runtime.and_then(|runtime| runtime.block_on(run(&files))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
