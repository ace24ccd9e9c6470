//! The response to a request: one of the page's files, or a sentence with the reason.
//!
//! The server is for this computer only. A request must name this computer in its `Host` header: otherwise a foreign
//! web page could point its own host name to 127.0.0.1 and read the answer (DNS rebinding).

use std::sync::{Arc, PoisonError, RwLock};

use crate::page_files::PageFiles;

/// The site that is served now. It is replaced when the firmware for the Pico 2 has been built.
#[derive(Debug)]
pub(crate) struct CurrentSite(RwLock<Arc<Site>>);

impl CurrentSite {
    /// Starts with this site.
    pub(crate) fn new(site: Site) -> Self {
        Self(RwLock::new(Arc::new(site)))
    }

    /// The site that is served now. No code that can panic runs under the lock, so a poisoned lock is still valid.
    pub(crate) fn site(&self) -> Arc<Site> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Serves this site from now on.
    pub(crate) fn replace(&self, site: Site) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(site);
    }
}

/// The page's files, and the policy that is sent with each of them.
#[derive(Debug)]
pub(crate) struct Site {
    files: PageFiles,
    /// The Content-Security-Policy: that of the page itself, and a ban on frames, which only a header can express.
    policy: String,
}

impl Site {
    /// Reads the policy from `index.html`.
    pub(crate) fn new(files: PageFiles) -> Self {
        let page = files.find("").map(|file| String::from_utf8_lossy(&file.bytes));
        let own = page.as_deref().and_then(policy_of).map_or(String::new(), |policy| format!("{policy}; "));
        let policy = format!("{own}frame-ancestors 'none'");
        Self { files, policy }
    }
}

/// The Content-Security-Policy of an HTML page, on one line.
fn policy_of(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("http-equiv=\"Content-Security-Policy\"")?;
    let (_, rest) = rest.split_once("content=\"")?;
    let (policy, _) = rest.split_once('"')?;
    policy.is_ascii().then(|| policy.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A response of the server.
#[derive(Debug)]
pub(crate) struct Response {
    /// The status code and its name.
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Response {
    fn new(status: &'static str, content_type: &str, body: Vec<u8>) -> Self {
        Self { status, headers: vec![("Content-Type", content_type.to_owned())], body }
    }

    /// A response that is a sentence.
    pub(crate) fn sentence(status: &'static str, text: &str) -> Self {
        let body = format!("{text}\n").into_bytes();
        Self::new(status, "text/plain; charset=utf-8", body).with("Cache-Control", "no-store")
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The bytes of the response. Each connection has one request only.
    pub(crate) fn to_bytes(&self, is_head: bool) -> Vec<u8> {
        let mut bytes = format!("HTTP/1.1 {}\r\n", self.status);
        for (name, value) in &self.headers {
            bytes += &format!("{name}: {value}\r\n");
        }
        bytes += &format!("Content-Length: {}\r\nConnection: close\r\n\r\n", self.body.len());
        let mut bytes = bytes.into_bytes();
        if !is_head {
            bytes.extend(&self.body);
        }
        bytes
    }
}

/// The response to a request for `url`; `hosts` are the values of all `Host` headers.
pub(crate) fn respond(method: &str, url: &str, hosts: &[&[u8]], site: &Site) -> Response {
    let response = match hosts {
        [host] if is_this_computer(host) => file_response(method, url, site),
        _ => Response::sentence("421 Misdirected Request", "This server answers at 127.0.0.1 and localhost only."),
    };
    response
        .with("Content-Security-Policy", &site.policy)
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer")
        .with("Cross-Origin-Opener-Policy", "same-origin")
        .with("Cross-Origin-Resource-Policy", "same-origin")
}

fn file_response(method: &str, url: &str, site: &Site) -> Response {
    if method != "GET" && method != "HEAD" {
        let text = "Only GET and HEAD are possible.";
        return Response::sentence("405 Method Not Allowed", text).with("Allow", "GET, HEAD");
    }
    let not_found = || Response::sentence("404 Not Found", "There is no such file.");
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let Some(name) = path.strip_prefix('/') else { return not_found() };
    // 202 is not an error, so the browser's console stays free of errors.
    if site.files.awaits(name) {
        return Response::sentence("202 Accepted", "This file is being built.").with("Retry-After", "2");
    }
    let Some(file) = site.files.find(name) else { return not_found() };
    // The next `cargo play` may serve another firmware at the same address, so the browser must not reuse the file.
    Response::new("200 OK", content_type(&file.name), file.bytes.clone()).with("Cache-Control", "no-cache")
}

/// Whether a `Host` header names this computer. Any port is accepted: an SSH tunnel may use another port than ours.
fn is_this_computer(host: &[u8]) -> bool {
    let Ok(host) = str::from_utf8(host) else { return false };
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    };
    let is_name = ["127.0.0.1", "localhost", "[::1]"].iter().any(|local| local.eq_ignore_ascii_case(name));
    is_name && port.is_none_or(|port| port.parse::<u16>().is_ok())
}

/// The media type of a file. A browser compiles WebAssembly during the download only if it has its own type.
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
    use crate::page_files::PageFile;

    fn file(name: &str, text: &str) -> PageFile {
        PageFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
    }

    fn site() -> Site {
        let files = [("index.html", "<p>"), ("emulator.wasm", "\0asm"), ("firmware-rp2040.elf", "ELF")];
        Site::new(PageFiles::complete(files.map(|(name, text)| file(name, text)).into()))
    }

    fn get(url: &str) -> Response {
        respond("GET", url, &[b"localhost"], &site())
    }

    fn value<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
        response.headers.iter().find(|(other, _)| *other == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn files_have_their_types_and_lengths() {
        let page = get("/");
        assert_eq!((page.status, &*page.body), ("200 OK", &b"<p>"[..]));
        assert_eq!(value(&page, "Content-Type"), Some("text/html; charset=utf-8"));
        let text = String::from_utf8(page.to_bytes(false)).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"), "{text}");
        assert!(text.ends_with("\r\nContent-Length: 3\r\nConnection: close\r\n\r\n<p>"), "{text}");
        assert_eq!(value(&get("/emulator.wasm?x=1"), "Content-Type"), Some("application/wasm"));
        let firmware = get("/firmware-rp2040.elf");
        assert_eq!(value(&firmware, "Content-Type"), Some("application/octet-stream"));
        assert_eq!(firmware.body, b"ELF");
    }

    #[test]
    fn head_response_has_no_body() {
        let text = String::from_utf8(respond("HEAD", "/", &[b"localhost"], &site()).to_bytes(true)).unwrap();
        assert!(text.contains("\r\nContent-Length: 3\r\n") && text.ends_with("\r\n\r\n"), "{text}");
    }

    #[test]
    fn every_response_has_the_security_headers() {
        let responses = [get("/"), get("/nothing"), respond("POST", "/", &[b"localhost"], &site())];
        for response in responses.into_iter().chain([respond("GET", "/", &[], &site())]) {
            for (name, expected) in [
                ("Content-Security-Policy", "frame-ancestors 'none'"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ] {
                assert_eq!(value(&response, name), Some(expected), "{}", response.status);
            }
        }
    }

    #[test]
    fn file_that_is_being_built_gets_202() {
        let site = Site::new(PageFiles::awaiting(vec![file("index.html", "<p>")]));
        for url in ["/firmware-rp2350.elf", "/files.json"] {
            let response = respond("GET", url, &[b"localhost"], &site);
            assert_eq!((response.status, value(&response, "Cache-Control")), ("202 Accepted", Some("no-store")));
            assert_eq!(response.body, b"This file is being built.\n");
        }
    }

    #[test]
    fn only_the_listed_files_are_served() {
        for url in
            ["/Cargo.toml", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/./index.html", "index.html"]
        {
            assert_eq!(get(url).status, "404 Not Found", "{url}");
        }
        assert_eq!(respond("POST", "/", &[b"localhost"], &site()).status, "405 Method Not Allowed");
    }

    #[test]
    fn only_local_hosts_are_answered() {
        let is_answered = |hosts: &[&[u8]]| respond("GET", "/", hosts, &site()).status == "200 OK";
        for host in ["127.0.0.1", "127.0.0.1:8025", "localhost:1", "LOCALHOST", "[::1]", "[::1]:8025"] {
            assert!(is_answered(&[host.as_bytes()]), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org", "localhost:", "localhost:x", "127.0.0.1:8025:1", "", "::1"]
        {
            assert!(!is_answered(&[host.as_bytes()]), "{host}");
        }
        assert!(!is_answered(&[]) && !is_answered(&[b"localhost", b"localhost"]) && !is_answered(&[b"\xFF"]));
    }

    #[test]
    fn policy_is_that_of_the_page_without_frames() {
        let policy = |page: &str| Site::new(PageFiles::complete(vec![file("index.html", page)])).policy;
        let page = "<meta http-equiv=\"Content-Security-Policy\"\n content=\"default-src 'none';\n  img-src 'self'\">";
        assert_eq!(policy(page), "default-src 'none'; img-src 'self'; frame-ancestors 'none'");
        assert_eq!(policy("<p>"), "frame-ancestors 'none'");
        let own = std::fs::read_to_string(setup::root().join("web").join("page").join("index.html")).unwrap();
        let policy = policy_of(&own).unwrap();
        for part in ["default-src 'none'", "worker-src 'self'", "manifest-src 'self'"] {
            assert!(policy.contains(part), "{policy}");
        }
    }

    #[test]
    fn every_kind_of_file_has_its_type() {
        for (name, expected) in [
            ("a.html", "text/html; charset=utf-8"),
            ("a.mjs", "text/javascript; charset=utf-8"),
            ("icons/a.png", "image/png"),
            ("files.json", "application/json"),
            ("a.webmanifest", "application/manifest+json"),
            ("a.wasm", "application/wasm"),
            ("a.elf", "application/octet-stream"),
            ("a", "application/octet-stream"),
        ] {
            assert_eq!(content_type(name), expected, "{name}");
        }
    }
}
