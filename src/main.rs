//! The `ratewaf` program: hands its arguments to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ratewaf::cli::main(std::env::args_os())
}
