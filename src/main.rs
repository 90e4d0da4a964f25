//! The `ratewaf` program.
fn main() {}
