//! What was named, from disk to resources.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, Result};

use crate::checks::locate::Source;
use crate::checks::model::{Change, Found, Item, Tool};
use crate::checks::read::{self, Folder, Input, ReadText, Reading};
use crate::cli::failure::hinted;
use crate::cli::targets::is_terraform;
use crate::fs::{self, shown};

/// Larger plans, templates and web ACLs are refused: memory is about ten times that.
const MOST_BYTES: u64 = 64 << 20;
/// Larger `.tf` and `.tf.json` files are refused.
const MOST_FILE_BYTES: u64 = 4 << 20;
/// Larger texts that a configuration names with `file("…")` are not read.
const MOST_TEXT_BYTES: u64 = 1 << 20;
/// `.tf` and `.tf.json` files of one folder and those below.
const MOST_FILES: usize = 5_000;
/// Folders that are named in an error.
const NAMED: usize = 5;
/// Folders below folders.
const MOST_LEVELS: usize = 12;

/// What was read.
#[derive(Debug, Default)]
pub(in crate::cli) struct Loaded {
    pub(in crate::cli) found: Vec<Found>,
    pub(in crate::cli) blind: Vec<(Item, String)>,
    /// Inputs, and kinds that could not be read of them.
    pub(super) unread: Vec<(String, String)>,
    pub(super) sources: Vec<Source>,
    /// Files that were read.
    pub(super) read: Vec<PathBuf>,
    /// What was named, an item each.
    pub(super) named: Vec<Item>,
    /// The folder of the root module of `.tf` files.
    pub(super) root: String,
    /// The folder of a plan, whose `.tf` files may be what it was made of.
    beside: Option<PathBuf>,
}

impl Loaded {
    /// Reads what stands beside a plan, to place findings in it; gives what could not be read of it, a sentence
    /// each.
    pub(super) fn read_beside(&mut self) -> Vec<String> {
        let Some(beside) = self.beside.take() else { return Vec::new() };
        if self.has_terraform() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut told = Vec::new();
        walk_what_can_be_read(&beside, &mut found, &mut told);
        found.sort();
        without_replaced(&mut found);
        let mut files = Vec::new();
        for path in found {
            match fs::read_text(&path, MOST_FILE_BYTES) {
                Ok(text) => files.push((portable(&path), text)),
                Err(error) => told.push(error.to_string()),
            }
        }
        self.root = portable(&beside);
        self.add_sources(&files);
        told
    }

    fn has_terraform(&self) -> bool {
        self.sources.iter().any(|one| one.is_hcl)
    }

    /// Takes `.tf` files as sources, each once: read twice, a suppression in it would not be needed the second time.
    fn add_sources(&mut self, files: &[(String, String)]) {
        let whole = |path: &str| Path::new(path).canonicalize().ok();
        let known: HashSet<PathBuf> =
            self.sources.iter().filter_map(|one| whole(&one.path)).collect();
        for (path, text) in files {
            if whole(path).is_some_and(|path| known.contains(&path)) {
                continue;
            }
            self.read.push(PathBuf::from(path));
            self.sources.push(Source { path: path.clone(), text: text.clone(), is_hcl: true });
        }
    }
}

/// As [`walk`], where nothing that fails is in the way of the rest.
fn walk_what_can_be_read(folder: &Path, found: &mut Vec<PathBuf>, told: &mut Vec<String>) {
    if let Err(error) = walk(folder, MOST_LEVELS, found) {
        told.push(format!("{error:#}"));
    }
}

/// Reads inputs. `source` is the folder to find lines of plans in.
pub(in crate::cli) fn load(inputs: &[String], source: Option<&Path>) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    for input in inputs {
        let (environment, path) = named(input);
        let environment = environment.map(str::to_owned);
        loaded.named.push(item(path, environment.clone()));
        let reading = if path == Path::new("-") {
            text(&mut loaded, "standard input", environment, stdin()?)?
        } else if metadata(path)?.is_dir() {
            folder(&mut loaded, path, environment)?
        } else if is_terraform(&path.to_string_lossy()) {
            let file = (portable(path), fs::read_text(path, MOST_FILE_BYTES)?);
            let root = path.parent().unwrap_or(Path::new(""));
            terraform(&mut loaded, portable(path), root, vec![file], environment)?
        } else {
            let content = fs::read_text(path, MOST_BYTES)?;
            loaded.read.push(path.to_owned());
            text(&mut loaded, &portable(path), environment, content)?
        };
        let is_plan = reading.found.iter().any(|one| one.item.tool == Tool::Plan);
        loaded.found.extend(reading.found);
        loaded.blind.extend(reading.blind);
        if let (None, Some(beside), true) = (source, path.parent(), is_plan && path.is_file()) {
            let beside = if beside == Path::new("") { Path::new(".") } else { beside };
            loaded.beside.get_or_insert_with(|| beside.to_owned());
        }
    }
    if let Some(source) = source {
        // Where there are `.tf` files already, they have a root of their own.
        if !loaded.has_terraform() {
            loaded.root = portable(source);
        }
        loaded.add_sources(&files(source)?);
    }
    Ok(loaded)
}

fn metadata(path: &Path) -> Result<std::fs::Metadata> {
    fs::metadata(path).map_err(|error| {
        if error.is_missing() {
            let hint = "name a folder with .tf files, a plan (terraform show -json), a template or the API's JSON";
            hinted(error.to_string(), hint)
        } else {
            error.into()
        }
    })
}

/// Reads what was before.
pub(super) fn before(input: &str) -> Result<Loaded> {
    if !Path::new(input).exists() && !input.contains('=') {
        return Err(hinted(
            format!("there is no file or folder `{}` to compare with", shown(Path::new(input))),
            "--before takes a folder, a template or API JSON, not a revision: `git worktree add --detach ../before main`, then --before ../before/infra",
        ));
    }
    load(&[input.to_owned()], None)
}

/// An input as an item.
fn item(path: &Path, environment: Option<String>) -> Item {
    let is_input = path == Path::new("-");
    let input = if is_input { "standard input".to_owned() } else { portable(path) };
    Item {
        address: input.clone(),
        input,
        environment,
        file: None,
        tool: Tool::Terraform,
        change: Change::NotTold,
        region: None,
    }
}

/// `stage=plan.json`, unless a file is called that.
pub(in crate::cli) fn named(input: &str) -> (Option<&str>, &Path) {
    match input.split_once('=') {
        Some((environment, path)) if !Path::new(input).exists() && !environment.contains('/') => {
            (Some(environment), Path::new(path))
        }
        _ => (None, Path::new(input)),
    }
}

fn stdin() -> Result<String> {
    if crate::ui::input_is_terminal() {
        return Err(hinted(
            "standard input is a terminal",
            "pipe a plan into it: terraform show -json plan.tfplan | ratewaf check -",
        ));
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    anyhow::ensure!(
        bytes.len() as u64 <= MOST_BYTES,
        "standard input has more than {MOST_BYTES} bytes: that is no plan"
    );
    String::from_utf8(bytes).context("standard input is no text (UTF-8)")
}

fn text(
    loaded: &mut Loaded,
    name: &str,
    environment: Option<String>,
    text: String,
) -> Result<Reading> {
    let input = Input { name: name.to_owned(), environment, text };
    let reading = read::read_text(&input)?;
    let is_plan = reading.found.iter().any(|one| one.item.tool == crate::checks::model::Tool::Plan);
    if !is_plan {
        loaded.sources.push(Source { path: name.to_owned(), text: input.text, is_hcl: false });
    }
    Ok(reading)
}

fn folder(loaded: &mut Loaded, path: &Path, environment: Option<String>) -> Result<Reading> {
    let files = files(path)?;
    let inside = portable(path);
    let above = |file: &str| file.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
    let is_own = |(file, _): &(String, String)| {
        let folder = above(file);
        folder == inside || (folder == "." && inside == "./") || inside == format!("{folder}/")
    };
    if !files.is_empty() && !files.iter().any(is_own) {
        let mut below: Vec<String> = files.iter().map(|(file, _)| above(file)).collect();
        below.dedup();
        let more = below.len().saturating_sub(NAMED);
        below.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Err(hinted(
            format!(
                "the folder `{}` itself holds no .tf file; folders below do: {}{more}",
                shown(path),
                crate::units::plain(&below.join(", "))
            ),
            format!("name the one that Terraform runs in: ratewaf check {}", below[0]),
        ));
    }
    if files.is_empty() {
        return Err(hinted(
            format!("the folder `{}` holds no .tf file and no .tf.json", shown(path)),
            "name a plan (terraform show -json), a template or the API's JSON",
        ));
    }
    let folders: BTreeSet<PathBuf> =
        files.iter().filter_map(|(file, _)| Some(Path::new(file).parent()?.to_owned())).collect();
    // Folders below are modules if something calls them: without a root nothing does, and all would be well.
    let root = PathBuf::from(portable(path));
    let is_root =
        |folder: &Path| folder == root || folder == Path::new("") && root == Path::new(".");
    if !folders.iter().any(|folder| is_root(folder)) {
        let named: Vec<String> =
            folders.iter().take(NAMED).map(|one| format!("`{}`", shown(one))).collect();
        let more = if folders.len() > NAMED { ", …" } else { "" };
        return Err(hinted(
            format!(
                "the folder `{}` holds no .tf file itself; such files are in {}{more}",
                shown(path),
                named.join(", ")
            ),
            "name the folder that `terraform plan` runs in; several of them are several inputs",
        ));
    }
    terraform(loaded, portable(path), path, files, environment)
}

fn terraform(
    loaded: &mut Loaded,
    name: String,
    root: &Path,
    files: Vec<(String, String)>,
    environment: Option<String>,
) -> Result<Reading> {
    let root = portable(root);
    loaded.root.clone_from(&root);
    loaded.add_sources(&files);
    let inside = PathBuf::from(if root.is_empty() { "." } else { root.as_str() });
    let named: Rc<RefCell<Vec<PathBuf>>> = Rc::default();
    let read_text: ReadText = {
        let named = Rc::clone(&named);
        Rc::new(move |path| {
            named.borrow_mut().push(PathBuf::from(path));
            text_inside(&inside, Path::new(path))
        })
    };
    let folder = Folder { name, environment, root, files };
    let reading = read::read_folder_with(&folder, read_text)?;
    loaded.read.append(&mut named.borrow_mut());
    Ok(reading)
}

/// What `file("…")` names, if it lies in the folder that is checked: a stranger's configuration reads no file elsewhere.
fn text_inside(folder: &Path, path: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    };
    let whole = path.canonicalize().map_err(told)?;
    if !whole.starts_with(folder.canonicalize().map_err(told)?) {
        return Err("it lies outside of the folder that is checked".to_owned());
    }
    // A pipe or a device would never end.
    if !whole.is_file() {
        return Err("it is no file".to_owned());
    }
    fs::read_text(&whole, MOST_TEXT_BYTES).map_err(|error| told(error.source))
}

/// The `.tf`, `.tofu`, `.tf.json` and `.tofu.json` files of a folder and of those below, by path.
fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    walk(folder, MOST_LEVELS, &mut found)?;
    found.sort();
    without_replaced(&mut found);
    found
        .into_iter()
        .map(|path| Ok((portable(&path), fs::read_text(&path, MOST_FILE_BYTES)?)))
        .collect()
}

/// Of two files with one name OpenTofu reads its own, and passes the other over ("Files and directories").
fn without_replaced(found: &mut Vec<PathBuf>) {
    let own: HashSet<String> =
        found.iter().map(|path| path.to_string_lossy()).map(|it| it.into_owned()).collect();
    found.retain(|path| {
        let name = path.to_string_lossy();
        let other = match name.strip_suffix(".json") {
            Some(name) => name.strip_suffix(".tf").map(|stem| format!("{stem}.tofu.json")),
            None => name.strip_suffix(".tf").map(|stem| format!("{stem}.tofu")),
        };
        other.is_none_or(|other| !own.contains(&other))
    });
}

fn walk(folder: &Path, levels: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    for path in fs::list(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        if path.is_dir() {
            // Providers and copies of modules from elsewhere; a link may lead anywhere.
            if name.starts_with('.') || name == "node_modules" || path.is_symlink() || levels == 0 {
                continue;
            }
            walk(&path, levels - 1, found)?;
        } else if is_terraform(&name) && path.is_file() {
            // A pipe or a device of that name would never end.
            found.push(path);
            anyhow::ensure!(
                found.len() <= MOST_FILES,
                "the folder `{}` holds more than {MOST_FILES} .tf files; name the one of the root module",
                shown(folder)
            );
        }
    }
    Ok(())
}

/// A path as it is written everywhere: with `/`, and without a `./` before it.
pub(super) fn portable(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    match text.strip_prefix("./") {
        Some("") | None => text,
        Some(rest) => rest.to_owned(),
    }
}
