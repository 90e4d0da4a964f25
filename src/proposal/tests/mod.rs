//! Tests of the whole method; those of one file's own arithmetic stand beside it.

mod caps;
mod examples;
mod made;
mod properties;
mod proposals;
mod warnings;
mod words;
