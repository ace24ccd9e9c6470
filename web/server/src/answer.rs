//! What a visitor gets: a head, and perhaps a body.

use crate::request::{Refusal, Request};
use crate::site::{Form, Site};

/// The whole answer to a request with this head.
pub fn answer(head: &[u8], site: &Site) -> Vec<u8> {
    let request = match Request::read(head) {
        Ok(request) => request,
        Err(Refusal::NotHttp) => return refusal("400 Bad Request", "", site),
        Err(Refusal::Method) => return refusal("405 Method Not Allowed", "Allow: GET, HEAD\r\n", site),
        Err(Refusal::Host) => return refusal("421 Misdirected Request: 127.0.0.1 and localhost only", "", site),
        Err(Refusal::Address) => return refusal("404 Not Found", "", site),
    };
    // Not a refusal in HTTP's terms: it would be an error on the page's console, and there is none.
    if site.awaits(request.address) {
        return refusal("202 Accepted: it is being built", "Retry-After: 2\r\n", site);
    }
    let Some(form) = site.form(request.address, request.takes_gzip) else {
        return refusal("404 Not Found", "", site);
    };
    // The tag is of the form that would be sent, so the compressed copy is known only to who was sent that.
    if request.knows(&form.tag) {
        return head_of("304 Not Modified", &about(&form), site);
    }
    let (kind, length) = (form.kind, form.bytes.len());
    let encoding = if form.packed { "Content-Encoding: gzip\r\n" } else { "" };
    let more = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n{encoding}{}", about(&form));
    let mut answer = head_of("200 OK", &more, site);
    if !request.head_only {
        answer.extend(form.bytes);
    }
    answer
}

/// What lets a browser keep a file, and ask each time whether it is still the one: the next `cargo play` may have another
/// firmware at the same address.
fn about(form: &Form<'_>) -> String {
    let vary = if form.varies { "Vary: Accept-Encoding\r\n" } else { "" };
    format!("ETag: {}\r\nCache-Control: no-cache\r\n{vary}", form.tag)
}

/// An answer that is a sentence.
pub fn refusal(status: &str, more: &str, site: &Site) -> Vec<u8> {
    let length = status.len() + 1;
    let kind = "text/plain; charset=utf-8";
    let more = format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n{more}");
    let mut answer = head_of(status, &more, site);
    answer.extend(status.bytes().chain(*b"\n"));
    answer
}

/// Nothing is guessed, told to others, framed or shared with another page; and one request is all.
fn head_of(status: &str, more: &str, site: &Site) -> Vec<u8> {
    let policy = &site.policy;
    format!(
        "HTTP/1.1 {status}\r\n{more}Content-Security-Policy: {policy}\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{File, Folder};

    fn site() -> Site {
        let file = |name: &str, text: &str| File { name: name.to_owned(), bytes: text.as_bytes().to_vec() };
        let long = "\0asm".repeat(1000);
        Site::new(Folder::of(vec![
            file("index.html", "<p>"),
            file("emulator.wasm", &long),
            file("firmware-rp2040.elf", "ELF"),
        ]))
    }

    /// The head in words, and the body.
    fn ask(line: &str, headers: &str) -> (String, Vec<u8>) {
        let answer = answer(format!("{line}\r\nHost: localhost\r\n{headers}\r\n").as_bytes(), &site());
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        (String::from_utf8(answer[..end].to_vec()).unwrap(), answer[end..].to_vec())
    }

    fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
        head.lines().find_map(|line| line.split_once(": ").filter(|(other, _)| *other == name)).map(|(_, value)| value)
    }

    #[test]
    fn files_come_with_their_types_and_lengths() {
        let (head, body) = ask("GET / HTTP/1.1", "");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 3\r\n"));
        assert_eq!(body, b"<p>");
        assert_eq!(header(&ask("GET /emulator.wasm?x=1 HTTP/1.1", "").0, "Content-Type"), Some("application/wasm"));
        let (head, body) = ask("GET /firmware-rp2040.elf HTTP/1.0", "Accept-Encoding: gzip\r\n");
        assert_eq!(header(&head, "Content-Type"), Some("application/octet-stream"));
        assert_eq!((header(&head, "Content-Encoding"), body), (None, b"ELF".to_vec()), "too short to be compressed");
    }

    #[test]
    fn a_compressed_copy_goes_to_who_takes_it() {
        let (plain, whole) = ask("GET /emulator.wasm HTTP/1.1", "");
        let (head, body) = ask("GET /emulator.wasm HTTP/1.1", "Accept-Encoding: gzip, br\r\n");
        assert_eq!((whole.len(), header(&plain, "Content-Encoding")), (4000, None));
        assert_eq!(header(&head, "Content-Encoding"), Some("gzip"));
        assert_eq!(header(&head, "Content-Length"), Some(&*body.len().to_string()));
        assert!(body.len() < 400 && body.starts_with(&[0x1F, 0x8B]));
        assert!([&plain, &head].iter().all(|head| header(head, "Vary") == Some("Accept-Encoding")));
    }

    #[test]
    fn head_is_an_answer_without_its_body() {
        let (head, body) = ask("HEAD /index.html HTTP/1.1", "");
        assert_eq!((header(&head, "Content-Length"), body.len()), (Some("3"), 0));
    }

    #[test]
    fn what_a_browser_has_is_not_sent_again() {
        let (head, _) = ask("GET / HTTP/1.1", "");
        let tag = header(&head, "ETag").unwrap();
        assert!(tag.starts_with('"') && header(&head, "Cache-Control") == Some("no-cache"));
        let (again, body) = ask("GET / HTTP/1.1", &format!("If-None-Match: {tag}\r\n"));
        assert!(again.starts_with("HTTP/1.1 304 ") && body.is_empty());
        assert_eq!((header(&again, "ETag"), header(&again, "Content-Length")), (Some(tag), None));
        assert!(ask("GET / HTTP/1.1", "If-None-Match: \"other\"\r\n").0.starts_with("HTTP/1.1 200 "));
    }

    #[test]
    fn every_answer_keeps_to_itself() {
        for line in ["GET / HTTP/1.1", "GET /nothing HTTP/1.1", "POST / HTTP/1.1", "rubbish"] {
            let (head, _) = ask(line, "");
            for (name, value) in [
                ("Content-Security-Policy", "frame-ancestors 'none'"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Connection", "close"),
            ] {
                assert_eq!(header(&head, name), Some(value), "{line}");
            }
        }
    }

    #[test]
    fn what_is_being_built_is_said_to_be() {
        let folder = Folder::awaiting(vec![File { name: "index.html".to_owned(), bytes: b"<p>".to_vec() }]);
        let site = Site::new(folder);
        for name in ["firmware-rp2350.elf", "files.json"] {
            let answer = answer(format!("GET /{name} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes(), &site);
            let text = String::from_utf8(answer).unwrap();
            assert!(text.starts_with("HTTP/1.1 202 Accepted") && header(&text, "Cache-Control") == Some("no-store"));
            assert!(text.ends_with("it is being built\n"), "{text}");
        }
    }

    #[test]
    fn nothing_but_the_page_is_handed_out() {
        for path in
            ["/Cargo.toml", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/./index.html", "index.html"]
        {
            assert!(ask(&format!("GET {path} HTTP/1.1"), "").0.starts_with("HTTP/1.1 404 "), "{path}");
        }
        assert!(ask("POST / HTTP/1.1", "").0.starts_with("HTTP/1.1 405 "));
        let elsewhere = answer(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", &site());
        assert!(elsewhere.starts_with(b"HTTP/1.1 421 ") && elsewhere.ends_with(b"127.0.0.1 and localhost only\n"));
    }
}
