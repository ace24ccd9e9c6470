//! A web server for one page and one computer.
//!
//! It listens on 127.0.0.1 only and knows the files of the page by their names: an address is looked up in that list and
//! never becomes a path, so there is nothing to break out of. One request a connection, one thread each, and no logic:
//! what works here works on any host that serves files.
//!
//! By hand: GET of six files is a page of code, and a crate for HTTP would be most of what `cargo play` has to build first.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;

/// A request's head may be so long; a browser's is a tenth of it.
const LONGEST_HEAD: u64 = 16 * 1024;
/// A visitor that says nothing, or does not listen, is let go.
const PATIENCE: Duration = Duration::from_secs(10);

/// A port that cannot be had.
#[derive(Debug)]
pub struct PortError {
    port: u16,
    reason: io::Error,
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Port {} cannot be used: {}. Without --port, a free one is found.", self.port, self.reason)
    }
}

impl std::error::Error for PortError {}

/// Takes a port of this computer; 0 is any.
pub fn listen(port: u16) -> Result<TcpListener, PortError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|reason| PortError { port, reason })
}

/// Answers for ever.
pub fn serve(listener: &TcpListener, folder: &Folder) {
    thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            // A visitor who goes away in the middle is no fault of ours.
            scope.spawn(move || answer(stream, folder).ok());
        }
    });
}

fn answer(mut stream: TcpStream, folder: &Folder) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = read_head(&mut stream)?;
    stream.write_all(&respond(&head, folder))?;
    stream.flush()
}

/// Everything up to the empty line.
fn read_head(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    for byte in io::BufReader::new(stream).take(LONGEST_HEAD).bytes() {
        head.push(byte?);
        if head.ends_with(b"\r\n\r\n") {
            return Ok(head);
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// The whole answer to a request.
fn respond(head: &[u8], folder: &Folder) -> Vec<u8> {
    let line = head.split(|&byte| byte == b'\r').next().unwrap_or_default();
    let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
    let [method, target, version] = words[..] else { return plain("400 Bad Request", "") };
    if !version.starts_with(b"HTTP/1.") {
        return plain("400 Bad Request", "");
    }
    if method != b"GET" && method != b"HEAD" {
        return plain("405 Method Not Allowed", "Allow: GET, HEAD\r\n");
    }
    let target = str::from_utf8(target).unwrap_or_default();
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let Some(file) = path.strip_prefix('/').and_then(|name| folder.file(name)) else {
        return plain("404 Not Found", "");
    };
    let mut answer = head_of("200 OK", content_type(file.name), file.bytes.len(), "");
    if method == b"GET" {
        answer.extend(&file.bytes);
    }
    answer
}

fn plain(status: &str, more: &str) -> Vec<u8> {
    let text = format!("{status}\n");
    let mut answer = head_of(status, "text/plain; charset=utf-8", text.len(), more);
    answer.extend(text.as_bytes());
    answer
}

fn head_of(status: &str, kind: &str, length: usize, more: &str) -> Vec<u8> {
    // Not kept by the browser: the next `cargo play` may have another firmware at the same address.
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n{more}\r\n"
    )
    .into_bytes()
}

/// A browser compiles WebAssembly while it arrives only if it comes under its own name.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::File;

    fn folder() -> Folder {
        let file = |name, text: &str| File { name, bytes: text.as_bytes().to_vec() };
        Folder::of(vec![file("index.html", "<p>"), file("emulator.wasm", "\0asm"), file("firmware.elf", "ELF")])
    }

    fn ask(request: &str) -> String {
        String::from_utf8(respond(request.as_bytes(), &folder())).unwrap()
    }

    #[test]
    fn files_come_with_their_types_and_lengths() {
        let answer = ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 3\r\n")
        );
        assert!(answer.ends_with("\r\n\r\n<p>"));
        assert!(ask("GET /emulator.wasm?x=1 HTTP/1.1\r\n\r\n").contains("Content-Type: application/wasm\r\n"));
        assert!(ask("GET /firmware.elf HTTP/1.0\r\n\r\n").contains("Content-Type: application/octet-stream\r\n"));
    }

    #[test]
    fn head_is_an_answer_without_its_body() {
        let answer = ask("HEAD /index.html HTTP/1.1\r\n\r\n");
        assert!(answer.contains("Content-Length: 3\r\n") && answer.ends_with("\r\n\r\n"));
    }

    #[test]
    fn nothing_but_the_page_is_handed_out() {
        for path in
            ["/Cargo.toml", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/./index.html", "index.html"]
        {
            assert!(ask(&format!("GET {path} HTTP/1.1\r\n\r\n")).starts_with("HTTP/1.1 404 "), "{path}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused() {
        assert!(ask("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
        for request in ["", "GET /\r\n\r\n", "GET / SMTP\r\n\r\n", "\0\r\n\r\n"] {
            assert!(ask(request).starts_with("HTTP/1.1 400 "), "{request:?}");
        }
    }

    #[test]
    fn a_head_without_an_end_is_not_read_for_ever() {
        assert!(read_head(&mut io::repeat(b'x')).is_err());
        assert!(read_head(&mut &b"GET / HTTP/1.1\r\n"[..]).is_err());
        assert_eq!(read_head(&mut &b"A\r\n\r\nB"[..]).unwrap(), b"A\r\n\r\n");
    }

    #[test]
    fn it_answers_on_this_computer_alone_and_says_when_a_port_is_taken() {
        let listener = listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        assert!(address.ip().is_loopback());
        assert!(listen(address.port()).unwrap_err().to_string().contains("cannot be used"));
        thread::spawn(move || serve(&listener, &folder()));
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET /index.html HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.ends_with("<p>"));
    }
}
