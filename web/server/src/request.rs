//! What a visitor asks for: the first line of a request, and the three headers that matter here.

/// A request that can be answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// Only the head of the answer is wanted.
    pub head_only: bool,
    /// The address within the page, without its first `/` and without a question.
    pub address: &'a str,
    /// The answer may be compressed.
    pub takes_gzip: bool,
    /// The tags of what the visitor already has.
    pub known: Vec<&'a str>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no HTTP.
    NotHttp,
    /// Something is to be done that a page cannot do.
    Method,
    /// It is meant for another server: a page elsewhere has given its own name our address, to read what we serve.
    Host,
    /// There is no such address.
    Address,
}

impl<'a> Request<'a> {
    /// Reads the head of a request.
    pub fn read(head: &'a [u8]) -> Result<Self, Refusal> {
        let head = str::from_utf8(head).map_err(|_| Refusal::NotHttp)?;
        let mut lines = head.split("\r\n");
        let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, version] = words[..] else { return Err(Refusal::NotHttp) };
        if !version.starts_with("HTTP/1.") {
            return Err(Refusal::NotHttp);
        }
        let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
        let values = |name: &'static str| {
            headers.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
        };
        match values("Host").collect::<Vec<_>>()[..] {
            [host] if is_this_computer(host) => {}
            [_] => return Err(Refusal::Host),
            _ => return Err(Refusal::NotHttp),
        }
        if method != "GET" && method != "HEAD" {
            return Err(Refusal::Method);
        }
        let path = target.split(['?', '#']).next().unwrap_or_default();
        Ok(Self {
            head_only: method == "HEAD",
            address: path.strip_prefix('/').ok_or(Refusal::Address)?,
            takes_gzip: values("Accept-Encoding").flat_map(|value| value.split(',')).any(allows_gzip),
            known: values("If-None-Match").flat_map(|value| value.split(',')).map(str::trim).collect(),
        })
    }

    /// Whether the visitor already has what has this tag.
    pub fn knows(&self, tag: &str) -> bool {
        self.known.iter().any(|known| *known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
    }
}

/// `gzip`, or anything, and not with a weight of nothing.
fn allows_gzip(coding: &str) -> bool {
    let mut parts = coding.split(';').map(str::trim);
    let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
    let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|weight| weight.parse::<f32>().ok());
    named && weight.is_none_or(|weight| weight > 0.0)
}

/// The names that a computer has for itself, with any port: a tunnel may have another than we.
fn is_this_computer(host: &str) -> bool {
    ["127.0.0.1", "localhost", "[::1]"].into_iter().any(|name| {
        let begin = host.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        begin && matches!(host[name.len()..].strip_prefix(':'), Some(port) if port.parse::<u16>().is_ok())
            || host.eq_ignore_ascii_case(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Request<'_>, Refusal> {
        Request::read(text.as_bytes())
    }

    #[test]
    fn a_browsers_request_is_read() {
        let text = "GET /icons/a.png?x=1 HTTP/1.1\r\nhost: LocalHost:8025\r\nAccept-Encoding: br, gzip;q=0.5\r\n\
                    If-None-Match: W/\"1\", \"2\"\r\n\r\n";
        let request = read(text).unwrap();
        assert_eq!((request.head_only, request.address, request.takes_gzip), (false, "icons/a.png", true));
        assert!(request.knows("\"1\"") && request.knows("\"2\"") && !request.knows("\"3\""));
        let plain = read("HEAD / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        assert_eq!(plain, Request { head_only: true, address: "", takes_gzip: false, known: vec![] });
        assert!(!plain.knows("\"1\""));
    }

    #[test]
    fn gzip_is_taken_only_by_who_takes_it() {
        for (value, takes) in [
            ("gzip", true),
            ("GZIP", true),
            ("*", true),
            ("br;q=1.0, gzip;q=0.001", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("br, deflate", false),
            ("xgzip", false),
            ("", false),
        ] {
            let text = format!("GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {value}\r\n\r\n");
            assert_eq!(read(&text).unwrap().takes_gzip, takes, "{value}");
        }
    }

    #[test]
    fn only_who_means_this_computer_is_answered() {
        let with = |host: &str| format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        for host in ["127.0.0.1", "127.0.0.1:8025", "localhost:1", "LOCALHOST", "[::1]", "[::1]:8025"] {
            assert!(read(&with(host)).is_ok(), "{host}");
        }
        for host in ["example.org", "127.0.0.1.example.org", "localhost:", "localhost:x", "127.0.0.1:8025:1", "", "::1"]
        {
            assert_eq!(read(&with(host)), Err(Refusal::Host), "{host}");
        }
        assert_eq!(read("GET / HTTP/1.1\r\n\r\n"), Err(Refusal::NotHttp), "none");
        assert_eq!(read("GET / HTTP/1.1\r\nHost: localhost\r\nHost: x\r\n\r\n"), Err(Refusal::NotHttp), "two");
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let with = |line: &str| format!("{line}\r\nHost: localhost\r\n\r\n");
        for line in ["", "GET /", "GET / SMTP", "\0", "GET  / HTTP/1.1"] {
            assert_eq!(read(&with(line)), Err(Refusal::NotHttp), "{line:?}");
        }
        assert_eq!(Request::read(b"GET /\xFF HTTP/1.1\r\n\r\n"), Err(Refusal::NotHttp));
        assert_eq!(read(&with("POST / HTTP/1.1")), Err(Refusal::Method));
        assert_eq!(read(&with("GET http://x/ HTTP/1.1")), Err(Refusal::Address));
    }
}
