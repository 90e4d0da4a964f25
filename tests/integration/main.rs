//! One binary for all tests that see the program from outside or across modules.

mod limit_vectors;
mod scorecard;
