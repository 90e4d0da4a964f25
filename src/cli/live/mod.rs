//! The commands that speak to AWS: plan, apply, status, promote, rollback, demote.
#![cfg_attr(not(feature = "cloud"), allow(dead_code, reason = "told, but of no use"))]

mod arguments;

#[cfg(feature = "cloud")]
mod apply;
#[cfg(feature = "cloud")]
mod demote;
#[cfg(feature = "cloud")]
mod plan;
#[cfg(feature = "cloud")]
mod promote;
#[cfg(feature = "cloud")]
mod rollback;
#[cfg(feature = "cloud")]
mod session;
#[cfg(feature = "cloud")]
mod status;
#[cfg(feature = "cloud")]
mod writing;

pub(super) use arguments::{Apply, Demote, Login, Plan, Promote, Rollback, Status};
#[cfg(feature = "cloud")]
pub(super) use session::home;

#[cfg(feature = "cloud")]
pub(super) use {
    apply::run as apply, demote::run as demote, plan::run as plan, promote::run as promote,
    rollback::run as rollback, status::run as status,
};

#[cfg(not(feature = "cloud"))]
mod without {
    use anyhow::Result;

    use super::super::failure::hinted;
    use crate::exit::Exit;
    use crate::ui::Ui;

    /// Refuses: this program was built without what it takes.
    fn refused(command: &str) -> Result<Exit> {
        Err(hinted(
            format!("`ratewaf {command}` speaks to AWS, and this ratewaf was built without that"),
            "install it with its feature `cloud`, which is on by default, or use `ratewaf emit` and Terraform",
        ))
    }

    macro_rules! refuse {
        ($($name:ident: $arguments:ident),*) => { $(
            pub(in super::super) fn $name(_: &super::$arguments, _: &Ui) -> Result<Exit> {
                refused(stringify!($name))
            }
        )* };
    }

    refuse!(plan: Plan, apply: Apply, status: Status, promote: Promote, rollback: Rollback, demote: Demote);
}
#[cfg(not(feature = "cloud"))]
pub(super) use without::{apply, demote, plan, promote, rollback, status};
