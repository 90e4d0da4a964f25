//! The method's answers in words for people.

mod client;
mod headline;
mod question;

pub use client::{details, head, sentence};
pub use headline::{evidence_in_words, headline, other_window_in_words};
pub use question::question_in_words;

use std::cmp::Reverse;

use crate::profile::ClientProfile;
use crate::units::{listed, plain, thousands};

/// Some clients by name, made harmless, and how many more there are: `A, B and 3 more`.
pub(super) fn names<'a>(clients: impl Iterator<Item = &'a ClientProfile>, most: usize) -> String {
    some_of(clients.map(|client| plain(&client.client.to_string()).into_owned()), 0, most)
}

/// `A`, `A and B`, `A, B and 1 more`. `nameless` is how many are not among the texts.
fn some_of(texts: impl Iterator<Item = String>, nameless: u64, most: usize) -> String {
    let mut texts: Vec<String> = texts.collect();
    let more = nameless + texts.len().saturating_sub(most) as u64;
    texts.truncate(most);
    if more > 0 {
        texts.push(format!("{} more", thousands(more)));
    }
    listed(&texts)
}

/// Places sorted by a figure, highest first, ties by canonical text.
pub(super) fn by_figure(
    clients: &[ClientProfile],
    places: impl IntoIterator<Item = usize>,
    figure: impl Fn(&ClientProfile) -> u32,
) -> Vec<usize> {
    let mut places: Vec<usize> = places.into_iter().collect();
    places.sort_by_cached_key(|&place| {
        (Reverse(figure(&clients[place])), clients[place].client.to_string())
    });
    places
}
