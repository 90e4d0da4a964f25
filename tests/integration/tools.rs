//! Finding the programs that tests hand our outputs to.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::env;
use std::io::{Seek, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program, if this machine has it. If not, says which test was skipped and why; with
/// `RATEWAF_REQUIRE_TOOLS=1` it fails instead, so that CI cannot go green by skipping.
pub fn find(program: &str) -> Option<PathBuf> {
    let found = find_optional(program);
    assert!(
        found.is_some() || !required(),
        "`{program}` is not on PATH, and RATEWAF_REQUIRE_TOOLS=1 demands it"
    );
    found
}

/// Whether a missing tool is a failure, as in CI.
pub fn required() -> bool {
    env::var("RATEWAF_REQUIRE_TOOLS").is_ok_and(|value| value == "1")
}

/// Like [`find`], but a program that a test can do without anywhere: missing is never a failure.
pub fn find_optional(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(program)).find(|it| it.is_file());
    if found.is_none() {
        skip(&format!("`{program}` is not on PATH"));
    }
    found
}

/// Prints that the running test is skipped.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    println!("skipped: {}: {reason}", thread.name().unwrap_or("a test"));
}

/// A folder laid out as a Terraform filesystem mirror with a 5.x AWS provider for this platform:
/// `RATEWAF_TF_MIRROR`, or one of the usual places. Optional: a missing one is a printed skip.
pub fn aws_provider_mirror() -> Option<PathBuf> {
    let given = env::var_os("RATEWAF_TF_MIRROR").map(PathBuf::from);
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let places = match &given {
        Some(place) => vec![place.clone()],
        None => vec![
            PathBuf::from("/opt/tf-plugins"),
            home.join(".terraform.d/plugins"),
            PathBuf::from("/usr/local/share/terraform/plugins"),
        ],
    };
    let found = places.into_iter().find(|place| holds_aws_provider(place));
    if found.is_none() {
        skip(
            "no filesystem mirror with hashicorp/aws 5.x for linux_amd64 (set RATEWAF_TF_MIRROR to one)",
        );
    }
    found
}

/// Whether a mirror has some version of one of HashiCorp's providers.
pub fn mirror_holds(mirror: &Path, provider: &str) -> bool {
    mirror.join("registry.terraform.io/hashicorp").join(provider).is_dir()
}

fn holds_aws_provider(mirror: &Path) -> bool {
    let folders = |path: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(path)
            .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
            .unwrap_or_default()
    };
    let starts = |path: &Path, start: &str| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    folders(&mirror.join("registry.terraform.io/hashicorp/aws"))
        .iter()
        .filter(|version| starts(version, "5."))
        .flat_map(|version| folders(&version.join("linux_amd64")))
        .any(|file| starts(&file, "terraform-provider-aws_v5"))
}

/// A Terraform command in a folder, with a configuration of its own (a preset one may name a file
/// that is not there) that takes providers from `mirror` only and calls nobody.
pub fn terraform(program: &Path, folder: &Path, mirror: Option<&Path>) -> Command {
    let mut configuration = String::from("disable_checkpoint = true\n");
    if let Some(mirror) = mirror {
        let mirror = mirror.display();
        configuration.push_str(&format!(
            "provider_installation {{\n  filesystem_mirror {{\n    path = \"{mirror}\"\n  }}\n}}\n"
        ));
    }
    let file = folder.join("cli.tfrc");
    std::fs::write(&file, configuration).unwrap();
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("TF_CLI_CONFIG_FILE", &file)
        .env("TF_IN_AUTOMATION", "1")
        .env("CHECKPOINT_DISABLE", "1")
        .env_remove("TF_LOG")
        .env_remove("TF_CLI_ARGS");
    command
}

/// As [`run`], with something on standard input.
pub fn run_with_input(command: &mut Command, input: &str) -> String {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input.as_bytes()).unwrap();
    file.rewind().unwrap();
    run(command.stdin(file))
}

/// Runs a command and gives back what it printed; fails with all of it if the command did.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stdout}\n{stderr}", output.status);
    stdout
}

/// An emulator of AWS on this machine, for as long as it lives.
pub struct Moto {
    server: Child,
    port: u16,
}

impl Moto {
    /// Starts moto (`pip install 'moto[server]'`), if this machine has it.
    pub fn start() -> Option<Self> {
        let program = find("moto_server")?;
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut moto = Self { server, port };
        let patience = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if moto.server.try_wait().unwrap().is_some() || Instant::now() > patience {
                skip("`moto_server` does not start (it needs moto[server])");
                return None;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(moto)
    }

    /// Makes a command talk to it in place of AWS, with keys that nobody else would take.
    pub fn serve(&self, command: &mut Command) {
        command
            .env("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{}", self.port))
            .env("AWS_ACCESS_KEY_ID", "testing")
            .env("AWS_SECRET_ACCESS_KEY", "testing")
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .env_remove("AWS_PROFILE")
            .env_remove("AWS_SESSION_TOKEN");
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
