//! What is about to be deployed, held against what AWS accepts and what the logs said.
//!
//! [`read`] turns Terraform, plans, templates and the API's JSON into one [`model::Deployment`] in the API's
//! terms; each [`Check`] looks at it and adds [`Findings`]; [`output`] prints them.
//!
//! # How to add a check
//!
//! 1. `src/checks/catalogue/<id with _>.rs`: a unit struct that implements [`Check`], with its `ABOUT`. The id is
//!    kebab-case and stays for ever, as people suppress by it.
//! 2. One `mod` line and one entry of `CHECKS` in `src/checks/catalogue.rs`, in the order of ids.
//! 3. `docs/checks/<id>.md`: `# <id>`, why it matters, then `## Bad` and `## Good`, each with at least one fenced
//!    example. The program carries the page; `ratewaf explain-check` prints it. The first word after a fence
//!    says what the example is: `hcl` (a `.tf` file), `yaml` or `json` (a CloudFormation template if it has
//!    `Resources`, else a web ACL as `aws wafv2 get-web-acl` prints it). Several blocks are several examples.
//!    A second word says what the block is for:
//!    - `hcl before` (or yaml, json): what was deployed; the examples after it in its section are compared with it,
//!      as a plan compares, so rules have their `before`.
//!    - `yaml policy`: a `ratewaf.yaml`, for the examples after it in its section.
//!    - `json lock`: members of the route `token` (GET /api/v1/token) of a lock, as in `{"lower": 187, "limit": 300}`;
//!      the others are those of `tests/fixtures/checks/lock.json`. `{}` takes that lock as it is.
//!    - `json inputs`: members of that lock's `inputs`, as in `{"last": "2026-09-14T23:44:57Z"}`.
//!    - any other word, as `hcl stage` followed by `hcl prod`: the blocks are one deployment, each of the
//!      environment of that name.
//! 4. `cargo test --no-default-features --test integration checks::` has to see it fire on each bad example and on no good one.
//!    Today is 2026-12-01 there.
//!
//! Checks do no I/O. They write foreign text into messages as it is: outputs escape it. Values that are not
//! known before the deployment ([`marker::is_unknown`]) or sensitive ([`marker::is_hidden`]) are objects, so that
//! no accessor takes them for a text or a number; a check that needs such a value says nothing.

pub mod alarms;
pub mod catalogue;
mod check;
mod context;
mod finding;
pub mod layers;
pub mod linked;
pub mod locate;
pub mod marker;
pub mod model;
pub mod output;
pub mod paths;
pub mod rate_rules;
pub mod read;
pub mod requests;
pub mod shapes;
pub mod suppress;
pub mod whose;

pub use catalogue::CHECKS;
pub use check::{About, Check, Confidence, Severity, run};
pub use context::{Context, Evidence};
pub use finding::{Finding, Findings, Place};
