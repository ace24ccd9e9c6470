//! A web server for one page and one computer.
//!
//! It listens on 127.0.0.1 only. It serves a fixed list of files ([`response`](crate::response)): an address is looked
//! up in that list and never becomes a path, so no file outside the list can be read.
//!
//! Each connection has its own thread and one request. The crate `httparse` parses the request. The rest is by hand,
//! because the small server crate `tiny_http` 0.12 can leave a browser's parallel connection without a thread.

use std::error::Error;
use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::response::{CurrentSite, Response, Site, respond};

/// The port without `--port`. It is the same each time, because the browser keeps the game for each address.
pub(crate) const DEFAULT_PORT: u16 = 8025;

/// The longest request in bytes. The requests of browsers are ten times shorter.
const MAX_REQUEST: usize = 16 * 1024;
/// The largest number of headers in a request.
const MAX_HEADERS: usize = 64;
/// The timeout for a browser that neither sends nor receives.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A port that cannot be used.
#[derive(Debug)]
pub(crate) struct PortError {
    port: u16,
    reason: io::Error,
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Port {} cannot be used: {}. Without --port, a free port is chosen.", self.port, self.reason)
    }
}

impl Error for PortError {}

/// Listens on this port of 127.0.0.1; 0 is any free port.
fn listen(port: u16) -> Result<TcpListener, PortError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|reason| PortError { port, reason })
}

/// Listens on the requested port. Without a request: on the default port, or on any free port if that is in use.
pub(crate) fn listen_on(requested: Option<u16>, default: u16) -> Result<TcpListener, PortError> {
    match requested {
        Some(port) => listen(port),
        None => listen(default).or_else(|_| listen(0)),
    }
}

/// Answers requests until the program ends.
pub(crate) fn serve(listener: &TcpListener, current: &CurrentSite) {
    thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            // If no thread can be started, the connection is closed and the browser tries again. An error of `answer`
            // means that the browser has closed the connection.
            let _ = thread::Builder::new().spawn_scoped(scope, move || answer(&stream, &current.site()));
        }
    });
}

/// Reads one request and sends the response.
fn answer(mut stream: &TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut request = Vec::new();
    let mut buffer = [0; 2048];
    while request.len() < MAX_REQUEST {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        request.extend(&buffer[..count]);
        if let Some(response) = response_to(&request, site) {
            return stream.write_all(&response);
        }
    }
    Ok(())
}

/// The response to a request; `None` while the request is incomplete.
fn response_to(bytes: &[u8], site: &Site) -> Option<Vec<u8>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(status) if status.is_partial() => return None,
        Ok(_) => {}
        Err(_) => {
            return Some(Response::sentence("400 Bad Request", "This is not an HTTP request.").to_bytes(false));
        }
    }
    let (method, url) = (request.method.unwrap_or_default(), request.path.unwrap_or_default());
    let host_headers = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("Host"));
    let hosts: Vec<&[u8]> = host_headers.map(|header| header.value).collect();
    Some(respond(method, url, &hosts, site).to_bytes(method == "HEAD"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_files::{PageFile, PageFiles};
    use std::net::SocketAddr;

    fn page(text: &str) -> PageFile {
        PageFile { name: "index.html".to_owned(), bytes: text.as_bytes().to_vec() }
    }

    /// Starts a server on any port. It runs until the tests end.
    fn start(site: Site) -> (SocketAddr, &'static CurrentSite) {
        let current: &CurrentSite = Box::leak(Box::new(CurrentSite::new(site)));
        let listener = listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || serve(&listener, current));
        (address, current)
    }

    fn send(address: SocketAddr, request: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    fn get(address: SocketAddr, name: &str) -> String {
        send(address, &format!("GET /{name} HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }

    #[test]
    fn page_is_served_on_loopback_only() {
        let (address, _) = start(Site::new(PageFiles::complete(vec![page("<p>")])));
        assert!(address.ip().is_loopback());
        let response = get(address, "index.html");
        assert!(response.starts_with("HTTP/1.1 200 ") && response.ends_with("\r\n\r\n<p>"), "{response}");
        assert!(response.contains("\r\nContent-Length: 3\r\n"), "{response}");
    }

    #[test]
    fn request_without_one_local_host_is_refused() {
        let (address, _) = start(Site::new(PageFiles::complete(vec![page("<p>")])));
        for hosts in ["", "Host: example.org\r\n", "Host: localhost\r\nHost: example.org\r\n"] {
            let response = send(address, &format!("GET / HTTP/1.1\r\n{hosts}\r\n"));
            assert!(response.starts_with("HTTP/1.1 421 "), "{response}");
        }
        assert!(send(address, "\0rubbish\r\n\r\n").starts_with("HTTP/1.1 400 "));
    }

    #[test]
    fn request_in_several_parts_is_answered() {
        let site = Site::new(PageFiles::complete(vec![page("<p>")]));
        let request = b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for length in 0..request.len() {
            assert_eq!(response_to(&request[..length], &site), None, "{length} bytes");
        }
        let response = String::from_utf8(response_to(request, &site).unwrap()).unwrap();
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n") && response.ends_with("\r\n\r\n"), "{response}");
    }

    #[test]
    fn waiting_connections_do_not_block_others() {
        let (address, _) = start(Site::new(PageFiles::complete(vec![page("<p>")])));
        let waiting: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(address).unwrap()).collect();
        assert!(get(address, "").ends_with("<p>"));
        drop(waiting);
    }

    #[test]
    fn replaced_site_is_served() {
        let (address, current) = start(Site::new(PageFiles::awaiting(vec![page("<p>")])));
        assert!(get(address, "files.json").starts_with("HTTP/1.1 202 "));
        current.replace(Site::new(PageFiles::complete(vec![page("<b>")])));
        assert!(get(address, "files.json").starts_with("HTTP/1.1 200 ") && get(address, "").ends_with("<b>"));
    }

    #[test]
    fn requested_port_is_used_or_refused() {
        let used = listen(0).unwrap();
        let port = used.local_addr().unwrap().port();
        let error = listen_on(Some(port), DEFAULT_PORT).unwrap_err().to_string();
        assert!(error.contains(&format!("Port {port} cannot be used")), "{error}");
    }

    #[test]
    fn default_port_in_use_falls_back_to_a_free_one() {
        let used = listen(0).unwrap();
        let port = used.local_addr().unwrap().port();
        let other = listen_on(None, port).unwrap().local_addr().unwrap();
        assert!(other.port() != port && other.ip().is_loopback());
    }
}
