//! `brickwork serve`, attacked on loopback. The tests print the figures of docs/trust.md (`--nocapture`).

use crate::common::{Folder, png_rgb, send_signal};
#[cfg(unix)]
use nix::sys::signal::Signal;
use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpStream},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The contents of `files/a.bin`.
const BYTES: &[u8] = b"0123456789";
/// Contents of files that no client may receive.
const SECRET: &str = "secret words";

/// A running server of the folder `files`, which ends with this.
struct Server {
    child: Child,
    address: SocketAddr,
    /// Its standard output, which stays open.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        Self::of(folder.command(&[&["serve", "files", "--port", "0"][..], arguments].concat()))
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.split(['/', ' ']).find_map(|word| word.parse().ok());
        Self { child, address: address.unwrap_or_else(|| panic!("no address: {line}")), _stdout: stdout }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends bytes, and returns the response to them.
    fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may have refused the request before its end.
        let _ = stream.write_all(bytes);
        Response::read(&mut stream)
    }

    /// Requests a path, with further fields.
    fn get(&self, path: &str, fields: &[&str]) -> Response {
        let fields: String = fields.iter().map(|field| format!("{field}\r\n")).collect();
        let host = self.address;
        self.send(
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n").as_bytes(),
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Response {
    /// Reads a response to GET. Status 0: there is none.
    fn read(stream: &mut TcpStream) -> Self {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
        let mut response = Self { status, head, body: Vec::new() };
        let length = response.field("Content-Length").map_or(0, |length| length.parse().unwrap());
        response.body.resize(length, 0);
        stream.read_exact(&mut response.body).unwrap();
        response
    }

    fn field(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.into_iter().find_map(|(key, value)| key.eq_ignore_ascii_case(name).then_some(value))
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

/// A folder `files`, and secrets around it.
fn fixture() -> Folder {
    let folder = Folder::new();
    for name in ["files/sub", "files/.hidden", "files-2", "site"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    folder.write("files/a.bin", BYTES);
    folder.write("files/empty", b"");
    folder.write("files/sub/rock.png", &png_rgb(4, 4, |x, y| [x as u8, y as u8, 0]));
    for name in ["secret", "files-2/secret", "files/.hidden/secret", "files/.env"] {
        folder.write(name, SECRET.as_bytes());
    }
    folder.write("site/index.html", b"<!doctype html><title>Site</title>");
    folder
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let folder = fixture();
    let server = Server::start(&folder, &["--site", "site"]);
    let absolute = folder.path("secret").to_str().unwrap().to_owned();
    let encoded = absolute.replace('/', "%2f");
    let forms = [
        "/files/../secret",
        "/files/sub/../../secret",
        "/files/%2e%2e/secret",
        "/files/%2E%2E/%2E%2E/secret",
        "/files/.%2e/secret",
        "/files/..%2fsecret",
        "/files/%2e%2e%2fsecret",
        "/files/..%5csecret",
        "/files/..\\secret",
        "/files/%252e%252e/secret",
        "/files/%c0%ae%c0%ae/secret",
        "/files/..;/secret",
        "/files/sub/%00/../../../secret",
        "/files/a.bin%00/../../secret",
        "/files/a.bin/../../secret",
        "/files//../secret",
        "/files/./../secret",
        "/files/../files-2/secret",
        "/files-2/secret",
        "/../secret",
        "/secret",
        "//secret",
        "/api/files/../secret",
        "/api/files/%2e%2e/",
        "/files/.hidden/secret",
        "/files/%2ehidden/secret",
        "/files/.env",
        "/files/%",
        "/files/%2",
        "/files/%u002e%u002e/secret",
    ];
    let others = [
        absolute.clone(),
        format!("/files{absolute}"),
        format!("/files/{absolute}"),
        format!("/files/{encoded}"),
        format!("file://{absolute}"),
        "http://localhost/secret".to_owned(),
    ];
    let paths: Vec<&str> = forms.into_iter().chain(others.iter().map(String::as_str)).collect();
    for path in &paths {
        let response = server.get(path, &[]);
        assert!(matches!(response.status, 400 | 404), "{path}: {response:?}");
        assert!(!response.text().contains(SECRET), "{path}");
    }
    assert_eq!(server.get("/files/a.bin", &[]).body, BYTES);
    for listing in ["/files/", "/api/files.json"] {
        let response = server.get(listing, &[]);
        assert!(response.text().contains("a.bin") && !response.text().contains(".env"), "{response:?}");
    }
    println!("serve: {} forms of paths that lead out of the folder, 0 answered", paths.len());
    let server = Server::start(&folder, &["--hidden"]);
    assert_eq!(server.get("/files/.env", &[]).text(), SECRET);
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let folder = fixture();
    let absolute = folder.path("secret");
    for (target, link) in [
        ("../secret", "files/relative"),
        (absolute.to_str().unwrap(), "files/absolute"),
        ("..", "files/up"),
        ("../files-2", "files/sibling"),
        ("/", "files/everything"),
        ("relative", "files/twice"),
        (".env", "files/hidden-file"),
        (".hidden", "files/hidden-folder"),
        ("a.bin", "files/inner"),
        ("sub", "files/inner-folder"),
    ] {
        symlink(target, folder.path(link)).unwrap();
    }
    let server = Server::start(&folder, &[]);
    let outside = [
        "relative",
        "absolute",
        "up/secret",
        "sibling/secret",
        "twice",
        "hidden-file",
        "hidden-folder/secret",
        "up/files-2/secret",
        "sibling/",
        "up/",
        "everything/",
        "everything/etc/passwd",
    ];
    for path in outside {
        let response = server.get(&format!("/files/{path}"), &[]);
        assert_eq!(response.status, 404, "{path}: {response:?}");
        assert!(!response.text().contains(SECRET), "{path}");
    }
    assert_eq!(server.get("/files/inner", &[]).body, BYTES);
    assert_eq!(server.get("/files/inner-folder/rock.png", &[]).status, 200);
    let listing = server.get("/api/files.json", &[]);
    assert!(listing.text().contains("inner-folder") && !listing.text().contains("sibling"), "{listing:?}");
    // A link that is made while the server runs.
    fs::rename(folder.path("files/sub"), folder.path("files/old")).unwrap();
    symlink("../files-2", folder.path("files/sub")).unwrap();
    assert_eq!(server.get("/files/sub/secret", &[]).status, 404);
    println!("serve: {} paths through symbolic links that lead out, 0 answered", outside.len() + 1);
}

#[test]
fn ranges_of_every_form() {
    let folder = fixture();
    let file = fs::File::options().write(true).open(folder.path("files/a.bin")).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(784_111_777)).unwrap();
    let server = Server::start(&folder, &[]);
    let whole = server.get("/files/a.bin", &[]);
    let tag = whole.field("ETag").unwrap();
    assert_eq!(whole.field("Last-Modified"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    assert_eq!((whole.field("Accept-Ranges"), whole.field("Content-Length")), (Some("bytes"), Some("10")));
    let cases = [
        ("bytes=0-0", 206, "0", "bytes 0-0/10"),
        ("bytes=2-5", 206, "2345", "bytes 2-5/10"),
        ("bytes=7-", 206, "789", "bytes 7-9/10"),
        ("bytes=7-100", 206, "789", "bytes 7-9/10"),
        ("bytes=-3", 206, "789", "bytes 7-9/10"),
        ("bytes=-100", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=0-18446744073709551616", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, "", "bytes */10"),
        ("bytes=-0", 416, "", "bytes */10"),
        ("bytes=18446744073709551615-", 416, "", "bytes */10"),
        ("bytes=5-2", 200, "0123456789", ""),
        ("bytes=0-1,3-4", 200, "0123456789", ""),
        ("bytes=abc", 200, "0123456789", ""),
        ("bytes=-", 200, "0123456789", ""),
        ("lines=0-1", 200, "0123456789", ""),
    ];
    for (range, status, body, content) in cases {
        let response = server.get("/files/a.bin", &[&format!("Range: {range}")]);
        assert_eq!(response.status, status, "{range}: {response:?}");
        assert_eq!(response.field("Content-Range").unwrap_or_default(), content, "{range}");
        assert!(status == 416 || response.text() == body, "{range}: {response:?}");
    }
    let conditions = [
        (format!("If-Range: {tag}"), 206),
        (format!("If-Range: W/{tag}"), 200),
        ("If-Range: \"other\"".to_owned(), 200),
        ("If-Range: Sun, 06 Nov 1994 08:49:37 GMT".to_owned(), 206),
        ("If-Range: Sun, 06 Nov 1994 08:49:38 GMT".to_owned(), 200),
        (format!("If-None-Match: {tag}"), 304),
        ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT".to_owned(), 304),
        ("If-Match: \"other\"".to_owned(), 412),
    ];
    for (condition, status) in &conditions {
        let response = server.get("/files/a.bin", &["Range: bytes=0-1", condition]);
        assert_eq!(response.status, *status, "{condition}: {response:?}");
    }
    assert_eq!(server.get("/files/empty", &["Range: bytes=0-"]).status, 416);
    assert_eq!(server.get("/files/empty", &["Range: bytes=-1"]).status, 200);
    println!("serve: {} forms of ranges and conditions", cases.len() + conditions.len() + 2);
}

#[test]
fn requests_that_are_not_for_reading_are_refused() {
    let folder = fixture();
    let server = Server::start(&folder, &[]);
    let methods =
        ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "FROB"];
    for method in methods {
        let request =
            format!("{method} /files/a.bin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
        let response = server.send(request.as_bytes());
        assert_eq!((response.status, response.field("Allow")), (405, Some("GET, HEAD")), "{method}");
    }
    assert_eq!(fs::read(folder.path("files/a.bin")).unwrap(), BYTES);
    let get = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    let heads = [
        (431, format!("{get}A: {}\r\n\r\n", "b".repeat(1 << 20))),
        (431, format!("{get}{}\r\n", "A: b\r\n".repeat(200))),
        (431, format!("{get}{}\r\n", "A: b\r\n".repeat(100_000))),
        (414, format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(10_000))),
        (431, format!("GET /{}", "a".repeat(1 << 20))),
        (400, format!("{get}Content-Length: 5\r\n\r\nabcde")),
        (400, format!("{get}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")),
        (400, format!("{get} folded: line\r\n\r\n")),
        (400, format!("{get}No colon\r\n\r\n")),
        (400, "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0".to_owned()),
        (400, "\0".repeat(100)),
        (400, "GET /\r\n\r\n".to_owned()),
        (400, "GET / HTTP/2.0\r\n\r\n".to_owned()),
    ];
    for (status, head) in &heads {
        let response = server.send(head.as_bytes());
        assert_eq!(response.status, *status, "{:?}", &head[..head.len().min(60)]);
        assert_eq!(response.field("Connection"), Some("close"));
    }
    // HTTP/2 is not answered at all. (Lines may end without a carriage return: RFC 9112, 2.2.)
    assert_eq!(server.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status, 0);
    assert_eq!(server.get("/files/a.bin", &[]).body, BYTES);
    println!("serve: {} other methods and {} malformed or huge heads refused", methods.len(), heads.len());
}

#[test]
fn names_of_other_hosts_are_refused_on_loopback() {
    let folder = fixture();
    let status = |server: &Server, host: &str| {
        server.send(format!("GET /files/a.bin HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).status
    };
    let server = Server::start(&folder, &[]);
    for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:80"] {
        assert_eq!(status(&server, host), 200, "{host}");
    }
    let others =
        ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:80@localhost"];
    for host in others {
        assert_eq!(status(&server, host), 421, "{host}");
    }
    let none = server.send(b"GET /files/a.bin HTTP/1.1\r\n\r\n");
    let two = server.send(b"GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n");
    assert_eq!((none.status, two.status), (400, 400));
    let server = Server::start(&folder, &["--host", "0.0.0.0"]);
    assert_eq!(status(&server, "workstation.example"), 200);
}

#[test]
fn slow_clients_are_dropped_in_time() {
    let folder = fixture();
    let server = Server::start(&folder, &["--timeout", "0.2"]);
    let mut stream = server.connect();
    let start = Instant::now();
    let mut sent = 0;
    // A byte now and then keeps a socket's time-out from passing.
    for byte in b"GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\nA: ".iter().chain(std::iter::repeat(&b'b'))
    {
        if stream.write_all(&[*byte]).is_err() || start.elapsed() > Duration::from_secs(5) {
            break;
        }
        sent += 1;
        thread::sleep(Duration::from_millis(10));
    }
    let time = start.elapsed();
    let limits = Duration::from_millis(190)..Duration::from_secs(5);
    assert!(sent > 0 && limits.contains(&time), "{sent} bytes in {time:?}");
    assert_eq!(server.get("/files/a.bin", &[]).body, BYTES);
    println!("serve: a client that sends a byte every 10 ms is dropped after {time:?} (time-out 0.2 s)");
    // With a pause, the refusal arrives before the connection is closed.
    let response = server.send(b"GET /files/a.bin HTTP/1.1\r\n");
    assert_eq!(response.status, 408, "{response:?}");
}

#[test]
fn half_open_connections_end() {
    let folder = fixture();
    let server = Server::start(&folder, &["--timeout", "0.2"]);
    let end = |mut stream: TcpStream| {
        let start = Instant::now();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        (start.elapsed(), rest)
    };
    // Nothing is sent.
    let (silent, rest) = end(server.connect());
    assert!(rest.is_empty() && (50..5000).contains(&silent.as_millis()), "{silent:?}");
    // The client has closed its direction: in the middle of a request, and after it.
    let mut stream = server.connect();
    stream.write_all(b"GET /files/a.bin HT").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(end(stream).1, b"");
    let mut stream = server.connect();
    stream.write_all(b"GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert!(end(stream).1.ends_with(BYTES));
    // A connection is kept after a request, but not for long.
    let mut stream = server.connect();
    for _ in 0..2 {
        stream.write_all(b"GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert_eq!(Response::read(&mut stream).body, BYTES);
    }
    let (kept, rest) = end(stream);
    assert!(rest.is_empty() && (300..5000).contains(&kept.as_millis()), "{kept:?}");
    println!("serve: time-out 0.2 s: silent clients are dropped after {silent:?}, idle ones after {kept:?}");
}

#[test]
fn two_hundred_connections_keep_nobody_out() {
    let folder = fixture();
    let server = Server::start(&folder, &[]);
    let mut idle: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    for stream in idle.iter_mut().skip(100) {
        let _ = stream.write_all(b"GET /files/a.bin HT");
    }
    let start = Instant::now();
    assert_eq!(server.get("/files/a.bin", &[]).body, BYTES);
    let time = start.elapsed();
    // The newest are still open, the oldest are not.
    idle[0].set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    assert!(matches!(idle[0].read(&mut [0]), Ok(0) | Err(_)));
    let mut newest = idle.pop().unwrap();
    newest.write_all(b"TP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    assert_eq!(Response::read(&mut newest).body, BYTES);
    println!("serve: with 200 idle connections (limit 64), a request is answered in {time:?}");
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| (0..10).for_each(|_| assert_eq!(server.get("/files/a.bin", &[]).body, BYTES)));
        }
    });
    println!("serve: 200 requests by 20 clients, a connection each, in {:?}", start.elapsed());
}

#[test]
fn requests_may_follow_each_other_at_once() {
    let folder = fixture();
    let server = Server::start(&folder, &[]);
    let mut stream = server.connect();
    let first = "HEAD /files/a.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let second = "GET /files/a.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(format!("{first}\r\n{second}").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let heads: Vec<_> = text.split_inclusive("\r\n\r\n").collect();
    assert_eq!((heads.len(), heads[2]), (3, "0123456789"), "{text}");
    assert!(heads[0].contains("Content-Length: 10") && heads[1].contains("Connection: close"), "{text}");
}

#[test]
fn files_have_types_and_listings() {
    let folder = fixture();
    folder.write("site/main.js", b"1");
    folder.write("site/kernels.wasm", b"\0asm");
    let names = [
        ("files/rock.dds", "image/vnd-ms.dds"),
        ("files/rock.ktx2", "image/ktx2"),
        ("files/scan.bwv", "application/x-bwv"),
        ("files/a.bin", "application/octet-stream"),
        ("files/sub/rock.png", "image/png"),
        ("main.js", "text/javascript; charset=utf-8"),
        ("kernels.wasm", "application/wasm"),
        ("", "text/html; charset=utf-8"),
    ];
    for (name, _) in names.iter().take(3) {
        folder.write(name, b"1");
    }
    let server = Server::start(&folder, &["--site", "site"]);
    for (name, expected) in names {
        let response = server.get(&format!("/{name}"), &[]);
        let fields = (response.field("Content-Type"), response.field("X-Content-Type-Options"));
        assert_eq!(fields, (Some(expected), Some("nosniff")), "{name}");
    }
    let listing = server.get("/api/files.json", &[]);
    assert_eq!(listing.field("Content-Type"), Some("application/json"));
    let json: serde_json::Value = serde_json::from_slice(&listing.body).unwrap();
    let names = json["entries"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["sub", "a.bin", "empty", "rock.dds", "rock.ktx2", "scan.bwv"]);
    let inner = server.get(json["entries"][0]["list"].as_str().unwrap(), &[]);
    let inner: serde_json::Value = serde_json::from_slice(&inner.body).unwrap();
    assert_eq!(inner["entries"][0]["url"], "/files/sub/rock.png");
    assert_eq!(server.get(inner["entries"][0]["url"].as_str().unwrap(), &[]).status, 200);
}

#[test]
fn the_site_and_the_files_share_the_paths() {
    let folder = fixture();
    for name in ["site/api", "site/files", "site/assets"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    for name in ["site/api/files.json", "site/files/rock.png"] {
        folder.write(name, name.as_bytes());
    }
    let both = Server::start(&folder, &["--site", "site"]);
    let site = Server::of(folder.command(&["serve", "--site", "site", "--port", "0"]));
    let files = Server::start(&folder, &[]);
    for (server, path, status, expected) in [
        (&both, "/", 200, "<title>Site"),
        (&both, "/?file=/files/rock.png", 200, "<title>Site"),
        (&both, "/files/a.bin", 200, "0123456789"),
        (&both, "/files/rock.png", 404, "no such file"),
        (&both, "/api/files.json", 200, "\"url\": \"/files/sub/\""),
        (&both, "/api/files/", 200, "\"parent\": null"),
        (&both, "/api/files/sub/", 200, "\"parent\": \"/api/files/\""),
        (&both, "/api/files", 404, ""),
        (&both, "/api/other", 404, ""),
        (&both, "/files", 301, "see /files/"),
        (&both, "/files/sub", 301, "see /files/sub/"),
        (&both, "/files/a.bin/", 404, ""),
        (&both, "/assets", 301, "see /assets/"),
        (&both, "/assets/", 404, ""),
        (&site, "/api/files.json", 200, "site/api/files.json"),
        (&site, "/files/rock.png", 200, "site/files/rock.png"),
        (&files, "/", 302, "see /files/"),
        (&files, "/index.html", 404, ""),
        (&files, "/files/", 200, "<a href=\"/files/a.bin\">"),
    ] {
        let response = server.get(path, &[]);
        assert_eq!(response.status, status, "{path}: {response:?}");
        assert!(response.text().contains(expected), "{path}: {response:?}");
    }
    let policy = both.get("/files/a.bin", &[]);
    let policy = policy.field("Content-Security-Policy").unwrap();
    assert!(policy.starts_with("sandbox allow-scripts"), "{policy}");
    assert_eq!(both.get("/", &[]).field("Cross-Origin-Resource-Policy"), Some("same-origin"));
}

/// Clients that do not read what they requested have a deadline. Until then, others are refused in words.
#[test]
fn clients_that_read_nothing_are_dropped_in_time() {
    let folder = fixture();
    // More than the system buffers between two sockets. The file has no blocks on the disk.
    fs::File::create(folder.path("files/large")).unwrap().set_len(256 << 20).unwrap();
    let server = Server::start(&folder, &["--connections", "2", "--timeout", "3"]);
    let slow = [(); 2].map(|()| {
        let mut stream = server.connect();
        stream.write_all(b"GET /files/large HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        stream.peek(&mut [0]).unwrap();
        stream
    });
    // A client may send its request only after the refusal.
    for late in [Duration::ZERO, Duration::from_millis(100)] {
        let mut stream = server.connect();
        thread::sleep(late);
        stream.write_all(b"GET /files/ HTTP/1.1\r\n").unwrap();
        thread::sleep(late / 10);
        stream.write_all(b"Host: localhost\r\n\r\n").unwrap();
        let refused = Response::read(&mut stream);
        assert_eq!((refused.status, refused.text()), (503, "the server has too many connections\n"));
    }
    let start = Instant::now();
    while server.get("/files/", &[]).status != 200 {
        assert!(start.elapsed() < Duration::from_secs(20), "the connections are still open");
        thread::sleep(Duration::from_millis(10));
    }
    drop(slow);
}

/// A large file in parts and as a whole, by a client that reads slowly but within the time-out.
#[test]
fn large_files_arrive_whole() {
    let folder = fixture();
    let bytes: Vec<u8> = (0..24_000_001_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    folder.write("files/large", &bytes);
    let server = Server::start(&folder, &["--timeout", "0.5"]);
    let part = server.get("/files/large", &["Range: bytes=1000000-2999999"]);
    assert_eq!((part.status, part.body.len()), (206, 2_000_000));
    assert!(part.body == bytes[1_000_000..3_000_000]);
    let mut stream = server.connect();
    stream.write_all(b"GET /files/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut received = Vec::new();
    while (&stream).take(1 << 20).read_to_end(&mut received).unwrap() > 0 {
        thread::sleep(Duration::from_millis(40));
    }
    assert!(received.ends_with(&bytes), "{} bytes", received.len());
}

/// While a client receives a file that it does not read.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_at_once() {
    let folder = fixture();
    fs::File::create(folder.path("files/large")).unwrap().set_len(256 << 20).unwrap();
    let mut server = Server::start(&folder, &[]);
    let mut stream = server.connect();
    stream.write_all(b"GET /files/large HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    stream.peek(&mut [0]).unwrap();
    let start = Instant::now();
    send_signal(&server.child, Signal::SIGINT);
    assert_eq!(server.child.wait().unwrap().code(), Some(130));
    let time = start.elapsed();
    assert!(time < Duration::from_secs(5), "{time:?}");
    println!("serve: ends {time:?} after Ctrl-C, while a client receives a file");
}

/// While this process holds a file open for writing, a child of another test inherits it, and the file cannot
/// be executed. The shell therefore makes the copy.
#[cfg(unix)]
#[test]
fn the_site_is_found_beside_the_program() {
    let folder = fixture();
    let site = folder.path("share/brickwork/site");
    fs::create_dir_all(folder.path("bin")).unwrap();
    fs::create_dir_all(&site).unwrap();
    let script = "ln \"$0\" bin/brickwork 2>/dev/null || cp \"$0\" bin/brickwork";
    assert!(folder.shell(script).status().unwrap().success());
    let command = || {
        let mut command = Command::new(folder.path("bin/brickwork"));
        command.args(["serve", "--port", "0", "files"]).current_dir(folder.path(""));
        command
    };
    let first = Server::of(command()).get("/", &[]);
    assert_eq!((first.status, first.field("Location")), (302, Some("/files/")));
    fs::write(site.join("index.html"), "the installed site").unwrap();
    assert_eq!(Server::of(command()).get("/", &[]).text(), "the installed site");
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let folder = fixture();
    let serve = |arguments: &[&str]| folder.run(&[&["serve"][..], arguments].concat());
    serve(&[]).fails(1, &["the web site is not installed", "npm run build:site"]);
    serve(&["none"]).fails(2, &["none: No such file"]);
    serve(&["files/a.bin"]).fails(2, &["files/a.bin: is a file; expected a folder"]);
    serve(&["files", "--site", "files"]).fails(2, &["files: has no index.html", "npm run build:site"]);
    serve(&["files", "--site", "site", "--host", "192.0.2.1", "--port", "0"]).fails(2, &["192.0.2.1:0: "]);
    let server = Server::start(&folder, &["--site", "site"]);
    let port = server.address.port().to_string();
    // Without --port, it is another one.
    assert_ne!(Server::of(folder.command(&["serve", "files"])).address.port(), server.address.port());
    serve(&["files", "--site", "site", "--port", &port]).fails(2, &["in use", "leave out --port"]);
    for (option, value, reason) in [
        ("--host", "example.com", "expected an IP address"),
        ("--port", "65536", "from 0 to 65535"),
        ("--timeout", "0", "from 0.05 to 3600"),
        ("--connections", "0", "from 1 to 1024"),
    ] {
        let ran = serve(&["files", option, value]);
        assert_eq!(ran.exit, Some(1), "{ran:?}");
        ran.says(&[option, reason]);
    }
}
