//! The fake itself, spoken to in bytes.
