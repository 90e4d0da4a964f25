//! Terraform with our stub in the place of the providers: no `init`, no AWS, about a second a command.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use tempfile::TempDir;

#[path = "../../../examples/terraform-stub/stub/mod.rs"]
mod provider;

pub use provider::{Behaviour, Block, Mode, Provider, Value as StubValue};
use provider::{Stub, reattach, serve};

use crate::harness::repository;
use crate::tools;

/// Which version of the AWS provider the schema is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 5.100.0, the newest of 5.
    Five,
    /// 6.69.1.
    Six,
}

pub struct Providers {
    pub aws: Arc<Stub>,
    pub random: Arc<Stub>,
}

fn stub(schema: &str, behaviour: &str) -> Arc<Stub> {
    let folder = repository("tests/fixtures/provider-schemas");
    let provider = std::fs::read(folder.join(schema)).unwrap();
    let behaviour = std::fs::read_to_string(folder.join(behaviour)).unwrap();
    let provider = Provider::from_gzip(&provider).unwrap();
    Arc::new(Stub::new(provider, Behaviour::from_json(&behaviour).unwrap()))
}

static FIVE: LazyLock<Arc<Stub>> =
    LazyLock::new(|| stub("aws-5.100.0.json.gz", "aws.behaviour.json"));
static SIX: LazyLock<Arc<Stub>> =
    LazyLock::new(|| stub("aws-6.69.1.json.gz", "aws.behaviour.json"));
static RANDOM: LazyLock<Arc<Stub>> =
    LazyLock::new(|| stub("random-3.9.1.json.gz", "random.behaviour.json"));

/// The schemas of a version.
pub fn providers(version: Version) -> Providers {
    let aws = match version {
        Version::Five => &FIVE,
        Version::Six => &SIX,
    };
    Providers { aws: Arc::clone(aws), random: Arc::clone(&RANDOM) }
}

/// The addresses of the stubs, which this process serves until it ends.
struct Served {
    five: SocketAddr,
    six: SocketAddr,
    random: SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let start = |stub: &Arc<Stub>| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(serve(Arc::clone(stub), listener));
        address
    };
    let (five, six, random) = (start(&FIVE), start(&SIX), start(&RANDOM));
    Served { five, six, random, _runtime: runtime }
});

/// A folder with a configuration, and Terraform in it.
pub struct Workspace {
    program: PathBuf,
    folder: TempDir,
    version: Version,
}

impl Workspace {
    /// An empty one, if this machine has Terraform.
    pub fn new(version: Version) -> Option<Self> {
        let program = tools::find("terraform")?;
        Some(Self { program, folder: tempfile::tempdir().unwrap(), version })
    }

    /// Writes a file, and the folders that it stands in.
    pub fn write(&self, name: &str, text: &str) -> &Self {
        let file = self.folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        self
    }

    pub fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let served = &*SERVED;
        let aws = match self.version {
            Version::Five => served.five,
            Version::Six => served.six,
        };
        let providers =
            json!({"hashicorp/aws": reattach(aws), "hashicorp/random": reattach(served.random)});
        let mut command = tools::terraform(&self.program, self.folder.path(), None);
        command
            .env("TF_REATTACH_PROVIDERS", providers.to_string())
            .args(arguments)
            .arg("-no-color");
        command
    }

    pub fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> String {
        tools::run(&mut self.command(arguments))
    }

    pub fn validate(&self) {
        self.run(&["validate"]);
    }

    /// A plan in its JSON.
    pub fn plan(&self) -> Value {
        // Modules have to be installed; providers are there.
        self.run(&["get"]);
        self.run(&["plan", "-input=false", "-out=plan"]);
        serde_json::from_str(&self.run(&["show", "-json", "plan"])).unwrap()
    }

    /// Applies the last plan, and demands that the next one has no changes.
    pub fn apply(&self) {
        self.run(&["apply", "-input=false", "plan"]);
        let again = self.output(&["plan", "-input=false", "-detailed-exitcode"]);
        let text = String::from_utf8_lossy(&again.stdout);
        assert_eq!(again.status.code(), Some(0), "a second plan has changes:\n{text}");
    }
}

/// The addresses of what a plan changes, each with what it does.
pub fn changes(plan: &Value) -> Vec<(String, Vec<String>)> {
    let resources = plan["resource_changes"].as_array().cloned().unwrap_or_default();
    resources
        .iter()
        .filter(|change| change["mode"] == "managed")
        .map(|change| {
            let actions = change["change"]["actions"].as_array().unwrap().iter();
            let actions = actions.map(|action| action.as_str().unwrap().to_owned()).collect();
            (change["address"].as_str().unwrap().to_owned(), actions)
        })
        .filter(|(_, actions): &(String, Vec<String>)| actions != &["no-op"])
        .collect()
}
