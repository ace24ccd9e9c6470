//! A web server for one page and one computer.
//!
//! It listens on 127.0.0.1 only and knows the files of the page by their names: an address is looked up in that list and
//! never becomes a path, so there is nothing to break out of. One request a connection, one thread each, and no logic:
//! what works here works on any host that serves files.
//!
//! A visitor who is slow, or one of very many, costs little: there is a time for all of a request and for all of an answer,
//! and a limit to how many are heard at once.
//!
//! By hand: GET of a few files is little code, and a crate for HTTP would be most of what `cargo play` has to build first.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::{answer, refusal};
use crate::site::{Current, Site};

/// The port that the page is at if nothing else is said: the same each time, because what a browser keeps of the game belongs
/// to the address.
pub const PORT: u16 = 8025;

/// A request's head may be so long; a browser's is a tenth of it.
const LONGEST_HEAD: usize = 16 * 1024;
/// How long to wait when no visitor can be let in, so that trying again is not all we do.
const BREATH: Duration = Duration::from_millis(100);

/// How much is borne.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time for all of a request.
    pub request: Duration,
    /// The time for all of an answer, which is a megabyte at most; it may go through a slow tunnel.
    pub answer: Duration,
    /// How many are heard at once. A browser opens six connections.
    pub visitors: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { request: Duration::from_secs(10), answer: Duration::from_secs(60), visitors: 64 }
    }
}

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

/// Takes this port of this computer; 0 is any.
pub fn listen(port: u16) -> Result<TcpListener, PortError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|reason| PortError { port, reason })
}

/// Takes the port that is asked for and no other; or, where none is, the usual one if it is free, and any if it is not.
pub fn listen_somewhere(asked: Option<u16>, usual: u16) -> Result<TcpListener, PortError> {
    match asked {
        Some(port) => listen(port),
        None => listen(usual).or_else(|_| listen(0)),
    }
}

/// Answers for ever, with the page that is the current one when a visitor comes.
pub fn serve(listener: &TcpListener, current: &Current, limits: Limits) {
    let visitors = AtomicUsize::new(0);
    let visitors = &visitors;
    thread::scope(|scope| {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                thread::sleep(BREATH);
                continue;
            };
            if visitors.fetch_add(1, Ordering::Relaxed) >= limits.visitors {
                visitors.fetch_sub(1, Ordering::Relaxed);
                // A few hundred bytes go into the system's buffer, so nobody is waited for.
                let full = refusal("503 Service Unavailable", "Retry-After: 1\r\n", &current.site());
                let _ = (&stream).write_all(&full);
                continue;
            }
            let started = thread::Builder::new().spawn_scoped(scope, move || {
                // A visitor who goes away in the middle, or is too slow, is no fault of ours.
                let _ = attend(&stream, &current.site(), limits);
                visitors.fetch_sub(1, Ordering::Relaxed);
            });
            if let Err(error) = started {
                visitors.fetch_sub(1, Ordering::Relaxed);
                eprintln!("A request was dropped, since no thread could be started for it: {error}.");
                thread::sleep(BREATH);
            }
        }
    });
}

fn attend(stream: &TcpStream, site: &Site, limits: Limits) -> io::Result<()> {
    let until = Instant::now() + limits.request;
    let answer = match read_head(stream, || stream.set_read_timeout(Some(left(until)?)))? {
        Some(head) => answer(&head, site),
        None => refusal("431 Request Header Fields Too Large", "", site),
    };
    let until = Instant::now() + limits.answer;
    let mut rest = &answer[..];
    while !rest.is_empty() {
        stream.set_write_timeout(Some(left(until)?))?;
        let mut stream = stream;
        match stream.write(rest)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => rest = &rest[written..],
        }
    }
    Ok(())
}

/// The time up to then, or the error that there is none.
fn left(until: Instant) -> io::Result<Duration> {
    until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(io::ErrorKind::TimedOut.into())
}

/// Everything up to the empty line; nothing if that does not come for too long. Before each read, `before` may say no.
fn read_head(mut stream: impl Read, mut before: impl FnMut() -> io::Result<()>) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    let mut buffer = [0; 2048];
    while head.len() < LONGEST_HEAD {
        before()?;
        match stream.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            // The end may lie across two reads.
            count => {
                let seen = head.len().saturating_sub(3);
                head.extend(&buffer[..count]);
                if let Some(end) = head[seen..].windows(4).position(|four| four == b"\r\n\r\n") {
                    head.truncate(seen + end + 4);
                    return Ok(Some(head));
                }
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{File, Folder};
    use std::net::SocketAddr;

    /// Longer than any computer takes for a test.
    const AGES: Duration = Duration::from_secs(3600);
    const PATIENT: Limits = Limits { request: AGES, answer: AGES, visitors: 2 };
    const SHORT: Duration = Duration::from_millis(400);
    const REQUEST: &[u8] = b"GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n";

    /// A site with a page, and with a file of so many bytes.
    fn site(length: usize) -> Site {
        let noise = (0..length as u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let file = |name: &str, bytes: Vec<u8>| File { name: name.to_owned(), bytes };
        Site::new(Folder::of(vec![file("index.html", b"<p>".to_vec()), file("long", noise)]))
    }

    /// A server at any port, for as long as the tests run.
    fn started(limits: Limits) -> SocketAddr {
        let listener = listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, &Current::new(site(0)), limits));
        address
    }

    /// The visitor's end of a connection, and ours.
    fn connection() -> (TcpStream, TcpStream) {
        let listener = listen(0).unwrap();
        let visitor = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (visitor, listener.accept().unwrap().0)
    }

    /// Whether a visitor was given up because time was over. Systems call that by one name or the other.
    fn is_late(result: io::Result<()>) -> bool {
        result.is_err_and(|error| matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock))
    }

    fn rest_of(mut stream: TcpStream) -> Vec<u8> {
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    #[test]
    fn it_answers_on_this_computer_alone() {
        let address = started(Limits::default());
        assert!(address.ip().is_loopback());
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(REQUEST).unwrap();
        assert!(rest_of(stream).ends_with(b"\r\n\r\n<p>"));
    }

    #[test]
    fn a_page_that_takes_the_place_of_another_is_handed_out() {
        let page = |text: &str| File { name: "index.html".to_owned(), bytes: text.as_bytes().to_vec() };
        let current: &Current = Box::leak(Box::new(Current::new(Site::new(Folder::awaiting(vec![page("<p>")])))));
        let listener = listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, current, Limits::default()));
        let ask = |name: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(format!("GET /{name} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes()).unwrap();
            String::from_utf8(rest_of(stream)).unwrap()
        };
        assert!(ask("files.json").starts_with("HTTP/1.1 202 "));
        current.replace(Site::new(Folder::of(vec![page("<b>")])));
        assert!(ask("files.json").starts_with("HTTP/1.1 200 ") && ask("").ends_with("<b>"));
    }

    #[test]
    fn a_port_that_is_asked_for_is_taken_or_refused_and_the_usual_one_gives_way() {
        let taken = listen(0).unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen_somewhere(Some(port), PORT).unwrap_err().to_string();
        assert!(error.contains(&format!("Port {port} cannot be used")), "{error}");
        let other = listen_somewhere(None, port).unwrap().local_addr().unwrap();
        assert!(other.port() != port && other.ip().is_loopback());
    }

    #[test]
    fn visitor_who_sends_a_byte_now_and_then_is_let_go() {
        let (mut visitor, ours) = connection();
        let attended = thread::spawn(move || attend(&ours, &site(0), Limits { request: SHORT, ..PATIENT }));
        // Without an empty line the head never ends.
        for byte in REQUEST.iter().cycle().filter(|byte| **byte != b'\r') {
            if attended.is_finished() {
                break;
            }
            let _ = visitor.write_all(&[*byte]);
            thread::sleep(SHORT / 8);
        }
        assert!(is_late(attended.join().unwrap()));
    }

    #[test]
    fn visitor_who_does_not_listen_is_let_go() {
        let (mut visitor, ours) = connection();
        visitor.write_all(b"GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        // More than the buffers on both sides hold.
        assert!(is_late(attend(&ours, &site(16_000_000), Limits { answer: SHORT, ..PATIENT })));
    }

    #[test]
    fn one_too_many_is_told_to_come_again() {
        let address = started(PATIENT);
        let waiting: Vec<TcpStream> = (0..PATIENT.visitors).map(|_| TcpStream::connect(address).unwrap()).collect();
        // They are let in in the order they came.
        let answer = rest_of(TcpStream::connect(address).unwrap());
        assert!(answer.starts_with(b"HTTP/1.1 503 "), "{}", String::from_utf8_lossy(&answer));
        drop(waiting);
        // Sooner or later the server notices that they are gone; only one that hangs takes two minutes.
        let is_answered = (0..6000).any(|_| {
            thread::sleep(Duration::from_millis(20));
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(REQUEST).is_ok() && rest_of(stream).ends_with(b"<p>")
        });
        assert!(is_answered);
    }

    #[test]
    fn a_head_ends_at_its_empty_line_or_is_given_up() {
        let read = |bytes: &[u8]| read_head(bytes, || Ok(()));
        assert_eq!(read(b"A\r\n\r\nB").unwrap().unwrap(), b"A\r\n\r\n");
        assert!(read(b"GET / HTTP/1.1\r\n").is_err());
        assert_eq!(read_head(io::repeat(b'x'), || Ok(())).unwrap(), None);
        assert!(read_head(io::repeat(b'x'), || Err(io::ErrorKind::TimedOut.into())).is_err());
        // In two parts, with the end across them.
        let parts = (&b"A\r\n\r"[..]).chain(&b"\nB"[..]);
        assert_eq!(read_head(parts, || Ok(())).unwrap().unwrap(), b"A\r\n\r\n");
    }
}
