//! The page as it is served: every file with its type, its tag and its compressed copy, made once. When more of it has been built,
//! another page takes its place.

use std::sync::{Arc, PoisonError, RwLock};

use crate::contents::fingerprint;
use crate::folder::{File, Folder};
use crate::gzip;

/// The page that is handed out now.
#[derive(Debug)]
pub struct Current(RwLock<Arc<Site>>);

impl Current {
    /// Begins with this one.
    pub fn new(site: Site) -> Self {
        Self(RwLock::new(Arc::new(site)))
    }

    /// The page of this moment. Nothing that could fail is done under the lock, so what is in it is good.
    pub fn site(&self) -> Arc<Site> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// From now on it is this one.
    pub fn replace(&self, site: Site) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(site);
    }
}

/// The page, ready to be handed out.
#[derive(Debug)]
pub struct Site {
    folder: Folder,
    /// For every file of the folder, in its order.
    copies: Vec<Copy>,
    /// What a browser may load for the page: the page's own word, and that nobody may frame it, which only a header can say.
    pub policy: String,
}

#[derive(Debug)]
struct Copy {
    tag: u64,
    packed: Option<Vec<u8>>,
}

/// One file, in one of its forms.
#[derive(Debug)]
pub struct Form<'a> {
    /// What it holds.
    pub kind: &'static str,
    /// Its bytes are compressed.
    pub packed: bool,
    /// It has a compressed form too.
    pub varies: bool,
    /// Another for every content and form, in quotation marks as HTTP has it.
    pub tag: String,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Site {
    /// Gets the folder ready.
    pub fn new(folder: Folder) -> Self {
        let copy = |file: &File| Copy { tag: fingerprint([&file.bytes[..]]), packed: gzip::compressed(&file.bytes) };
        let copies = folder.files().iter().map(copy).collect();
        let start = folder.file("").map(|file| String::from_utf8_lossy(&file.bytes));
        let own = start.as_deref().and_then(policy_of).map_or(String::new(), |own| format!("{own}; "));
        let policy = format!("{own}frame-ancestors 'none'");
        Self { folder, copies, policy }
    }

    /// Whether the file at an address will come, and is not here yet.
    pub fn awaits(&self, address: &str) -> bool {
        self.folder.awaits(address)
    }

    /// The file at an address within the page, compressed if it may be and there is such a copy.
    pub fn form(&self, address: &str, may_be_packed: bool) -> Option<Form<'_>> {
        let file = self.folder.file(address)?;
        let (_, copy) = self.folder.files().iter().zip(&self.copies).find(|(other, _)| other.name == file.name)?;
        let packed = copy.packed.as_deref().filter(|_| may_be_packed);
        Some(Form {
            kind: content_type(&file.name),
            packed: packed.is_some(),
            varies: copy.packed.is_some(),
            tag: format!("\"{:016x}{}\"", copy.tag, if packed.is_some() { "-gzip" } else { "" }),
            bytes: packed.unwrap_or(&file.bytes),
        })
    }
}

/// The Content-Security-Policy in the head of a page.
fn policy_of(page: &str) -> Option<&str> {
    let (_, behind) = page.split_once("http-equiv=\"Content-Security-Policy\" content=\"")?;
    let (policy, _) = behind.split_once('"')?;
    policy.bytes().all(|byte| (b' '..=b'~').contains(&byte)).then_some(policy)
}

/// A browser compiles WebAssembly while it arrives only if it comes under its own name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(page: &str) -> Site {
        let file = |name: &str, text: &str| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        Site::new(Folder::of(vec![file("index.html", page), file("long.txt", &"word ".repeat(500))]))
    }

    #[test]
    fn the_policy_is_the_pages_own_and_forbids_frames() {
        let page = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">";
        assert_eq!(site(page).policy, "default-src 'none'; frame-ancestors 'none'");
        assert_eq!(site("<p>").policy, "frame-ancestors 'none'");
        let own = std::fs::read_to_string(setup::root().join("web").join("page").join("index.html")).unwrap();
        let policy = policy_of(&own).unwrap();
        for part in ["default-src 'none'", "worker-src 'self'", "manifest-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
    }

    #[test]
    fn both_forms_of_a_file_have_their_own_tags() {
        let site = site("<p>");
        let [plain, packed] = [false, true].map(|may| site.form("long.txt", may).unwrap());
        assert!(!plain.packed && packed.packed && plain.varies && packed.varies);
        assert!(packed.bytes.len() < plain.bytes.len() && packed.tag != plain.tag);
        let short = site.form("", true).unwrap();
        assert!(!short.packed && !short.varies, "a short file has one form");
        assert_ne!(short.tag, plain.tag);
    }

    #[test]
    fn every_kind_of_file_has_its_type() {
        for (name, kind) in [
            ("a.html", "text/html; charset=utf-8"),
            ("a.mjs", "text/javascript; charset=utf-8"),
            ("icons/a.png", "image/png"),
            ("files.json", "application/json"),
            ("a.webmanifest", "application/manifest+json"),
            ("a.wasm", "application/wasm"),
            ("a.elf", "application/octet-stream"),
            ("a", "application/octet-stream"),
        ] {
            assert_eq!(content_type(name), kind, "{name}");
        }
    }
}
