//! From a location to its objects of the days that are asked for, without listing the rest of the
//! bucket: folders with dates are entered or not, and names with dates are skipped to.

use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::error::Error;
use super::layout::stretch;
use super::listing::{Lister, Listing, Object, Page, Start};
use super::location::Location;
use crate::logs::{DatedName, Period, looks_like_log};

/// Listings at a time.
const AT_ONCE: usize = 8;
/// Entries of a page, as many as S3 gives.
const PAGE: i32 = 1_000;
/// More folders without a date in one folder are not entered one by one, which would take a request each.
const MOST_FOLDERS: usize = 1_000;

/// A prefix to list.
struct Folder {
    prefix: String,
    /// With everything below, instead of folder by folder.
    deep: bool,
}

/// What one folder gave.
#[derive(Default)]
struct Scanned {
    listing: Listing,
    folders: Vec<Folder>,
}

pub(super) struct Walk {
    pub(super) lister: Lister,
    pub(super) location: Location,
    pub(super) period: Period,
}

/// What is done with a key.
enum Verdict {
    Kept,
    NoLog,
    Outside,
    /// No object at all, as far as people are concerned.
    Hidden,
}

impl Walk {
    /// Lists everything that is meant. The order of the objects is that of their keys.
    pub(super) async fn run(self) -> Result<Listing, Error> {
        let mut all = Listing::default();
        let root = match self.root(&mut all).await? {
            Some(root) => root,
            None => return Ok(all),
        };
        let walk = Arc::new(self);
        let mut waiting = vec![root];
        let mut running = JoinSet::new();
        loop {
            while running.len() < AT_ONCE
                && let Some(folder) = waiting.pop()
            {
                let walk = Arc::clone(&walk);
                running.spawn(async move { walk.scan(folder).await });
            }
            let Some(done) = running.join_next().await else { break };
            // A task that panicked has lost objects: its panic is everybody's.
            let scanned =
                done.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))?;
            waiting.extend(scanned.folders);
            all.objects.extend(scanned.listing.objects);
            all.others.extend(scanned.listing.others);
            all.listed += scanned.listing.listed;
            all.outside += scanned.listing.outside;
            all.requests += scanned.listing.requests;
        }
        all.objects.sort();
        all.others.sort();
        Ok(all)
    }

    /// What the location means: one object, a folder, or all that begins like that. An object is put
    /// into the listing, and nothing is left to do.
    async fn root(&self, all: &mut Listing) -> Result<Option<Folder>, Error> {
        let prefix = self.location.prefix.as_str();
        let deep = self.period.is_open();
        if !prefix.is_empty() && !prefix.ends_with('/') && self.location.pattern.is_none() {
            all.requests += 1;
            let first = self.lister.page(prefix, false, &Start::Beginning, 1).await?;
            if let Some((key, etag, size)) = first.objects.into_iter().next()
                && key == prefix
            {
                // Named as a whole, it is read whatever it is called.
                all.listed += 1;
                all.objects.push(self.object(key, etag, size));
                return Ok(None);
            }
            all.requests += 1;
            let folder = format!("{prefix}/");
            let inside = self.lister.page(&folder, false, &Start::Beginning, 1).await?;
            if !inside.objects.is_empty() {
                return Ok(Some(Folder { prefix: folder, deep }));
            }
        }
        Ok(Some(Folder { prefix: prefix.to_owned(), deep }))
    }

    async fn scan(&self, folder: Folder) -> Result<Scanned, Error> {
        let Folder { prefix, deep } = folder;
        let mut scanned = Scanned::default();
        let mut undated = 0;
        let mut start = Start::Beginning;
        loop {
            let page = self.lister.page(&prefix, !deep, &start, PAGE).await?;
            scanned.listing.requests += 1;
            let next = self.next(&page, &prefix);
            for (key, etag, size) in page.objects {
                scanned.listing.listed += 1;
                match self.judge(&key) {
                    Verdict::Kept => scanned.listing.objects.push(self.object(key, etag, size)),
                    Verdict::Outside => scanned.listing.outside += 1,
                    Verdict::NoLog => scanned.listing.others.push(self.name(&key)),
                    Verdict::Hidden => {}
                }
            }
            for prefix in page.folders {
                let time = stretch(&prefix);
                if time.is_some_and(|(start, end)| !self.period.may_touch(start, end)) {
                    continue;
                }
                // What lies below a day is wanted, but for some hours at its ends.
                let deep = time.is_some_and(|(start, end)| end.0 - start.0 <= 86_400);
                undated += usize::from(time.is_none());
                scanned.folders.push(Folder { prefix, deep });
            }
            if undated > MOST_FOLDERS {
                let requests = scanned.listing.requests;
                let listing = Listing { requests, ..Listing::default() };
                return Ok(Scanned { listing, folders: vec![Folder { prefix, deep: true }] });
            }
            match next {
                Some(next) => start = next,
                None => return Ok(scanned),
            }
        }
    }

    /// Where to go on: behind this page, or, where names have dates, at the first one that is wanted.
    fn next(&self, page: &Page, prefix: &str) -> Option<Start> {
        let token = Start::Token(page.next.clone()?);
        let Some((last, _, _)) = page.objects.last() else { return Some(token) };
        let folders = page.folders.last();
        let skipped = self
            .skip(last, prefix)
            .filter(|key| key > last && folders.is_none_or(|folder| key > folder));
        Some(skipped.map_or(token, Start::After))
    }

    /// The text before the first wanted name of the same delivery, or behind its last one, if this key
    /// lies before or after the period.
    fn skip(&self, key: &str, prefix: &str) -> Option<String> {
        let name_at = key.rfind('/').map_or(0, |slash| slash + 1);
        let dated = DatedName::find(&key[name_at..])?;
        let stem = &key[..name_at + dated.at];
        let margin = |time: i64| crate::units::Timestamp(time);
        match (self.period.from, self.period.to) {
            (Some(from), _) if dated.end().0 <= from.0 - Period::MARGIN => {
                Some(format!("{stem}{}", dated.day_text(margin(from.0 - Period::MARGIN))))
            }
            // Behind all digits, and so behind all dates.
            (_, Some(to)) if dated.time.0 >= to.0 + Period::MARGIN => Some(format!("{stem}:")),
            _ => None,
        }
        .filter(|text| text.starts_with(prefix))
    }

    fn judge(&self, key: &str) -> Verdict {
        let name = key.rsplit('/').next().unwrap_or_default();
        if name.is_empty() {
            return Verdict::Hidden;
        }
        let patterned = self.location.pattern.is_some();
        if !self.location.matches(key) {
            return Verdict::Hidden;
        }
        if !patterned && (name.starts_with('.') || !looks_like_log(Path::new(name))) {
            return Verdict::NoLog;
        }
        let outside = stretch(key).is_some_and(|(start, end)| !self.period.may_touch(start, end))
            || !self.period.may_hold(name);
        if outside { Verdict::Outside } else { Verdict::Kept }
    }

    fn object(&self, key: String, etag: String, size: u64) -> Object {
        Object { bucket: Arc::clone(&self.lister.bucket), key, etag, size }
    }

    fn name(&self, key: &str) -> String {
        super::location::url(&self.lister.bucket, key)
    }
}
