//! Texts that a configuration reads itself: `file("rules.json")`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Files that are looked at; those after are not known.
const MOST: usize = 200;

/// Reads a text by its path with `/`, or says in a few words why it does not.
pub type ReadText = Rc<dyn Fn(&str) -> Result<String, String>>;

/// A file's text, or why there is none.
pub(super) type Text = Result<String, String>;

/// What was read, each file once.
#[derive(Clone, Default)]
pub(super) struct Files(Option<Rc<Reader>>);

struct Reader {
    root: String,
    read: ReadText,
    known: RefCell<BTreeMap<String, Text>>,
}

impl Files {
    pub(super) fn new(root: &str, read: ReadText) -> Self {
        let reader = Reader { root: root.to_owned(), read, known: RefCell::default() };
        Self(Some(Rc::new(reader)))
    }

    /// The text of a file, by its path as Terraform has it: from the folder of the root module.
    pub(super) fn text(&self, path: &str) -> Text {
        let Some(reader) = &self.0 else { return Err("files are not read here".to_owned()) };
        let path = match reader.root.as_str() {
            _ if path.starts_with('/') => path.to_owned(),
            "" => super::clean(path),
            root => super::clean(&format!("{root}/{path}")),
        };
        let mut known = reader.known.borrow_mut();
        if let Some(text) = known.get(&path) {
            return text.clone();
        }
        if known.len() >= MOST {
            return Err(format!("more than {MOST} files are read"));
        }
        let text = (reader.read)(&path);
        known.insert(path, text.clone());
        text
    }
}
