//! A server in this process: its ports, its first page, and clients that keep it busy.

use super::*;
use std::{
    fs,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// Starts a server, which runs until the tests end.
fn start(options: &ServeOptions) -> SocketAddr {
    let server = Server::bind(&options.clone().with_port(Some(0))).unwrap();
    let address = server.address();
    thread::spawn(move || server.run(|_| {}));
    address
}

/// Sends a request for a path, and returns the response as text. A server that closes the connection before
/// it has read the request resets it after the response.
fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut response = Vec::new();
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_end(&mut response);
    String::from_utf8_lossy(&response).into_owned()
}

#[test]
fn the_site_and_the_files_share_the_paths() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["site/api", "site/files", "site/assets", "textures/sub"] {
        fs::create_dir_all(at(name)).unwrap();
    }
    for name in ["site/index.html", "site/api/files.json", "site/files/rock.png", "textures/rock.png"] {
        fs::write(at(name), name).unwrap();
    }
    let options = ServeOptions::new();
    let both = start(&options.clone().with_site(Some(at("site"))).with_files(Some(at("textures"))));
    let site = start(&options.clone().with_site(Some(at("site"))));
    let files = start(&options.with_files(Some(at("textures"))));
    for (address, path, expected) in [
        (both, "/", "\r\n\r\nsite/index.html"),
        (both, "/?file=/files/rock.png", "\r\n\r\nsite/index.html"),
        (both, "/files/rock.png", "\r\n\r\ntextures/rock.png"),
        (both, "/api/files.json", "\"url\": \"/files/sub/\""),
        (both, "/api/files/", "\"parent\": null"),
        (both, "/api/files/sub/", "\"entries\": []"),
        (both, "/api/files", " 404 "),
        (both, "/api/other", " 404 "),
        (both, "/files", "Location: /files/\r\n"),
        (both, "/files/sub", "Location: /files/sub/\r\n"),
        (both, "/files/rock.png/", " 404 "),
        (both, "/assets", "Location: /assets/\r\n"),
        (both, "/assets/", " 404 "),
        (site, "/api/files.json", "\r\n\r\nsite/api/files.json"),
        (site, "/files/rock.png", "\r\n\r\nsite/files/rock.png"),
        (files, "/", " 302 Found\r\n"),
        (files, "/", "Location: /files/\r\n"),
        (files, "/index.html", " 404 "),
        (files, "/files/", "<a href=\"/files/rock.png\">"),
    ] {
        let response = get(address, path);
        assert!(response.contains(expected), "{path}: {response}");
    }
    let page = get(both, "/files/rock.png");
    assert!(page.contains("Content-Security-Policy: sandbox allow-scripts"), "{page}");
    let error = Server::bind(&ServeOptions::new().with_site(Some(at("textures")))).unwrap_err();
    assert!(
        error.to_string().ends_with("textures: has no index.html; expected the folder of the built web site")
    );
    let error = Server::bind(&ServeOptions::new().with_files(Some(at("site/index.html")))).unwrap_err();
    assert!(error.to_string().ends_with("index.html: is a file; expected a folder"), "{error}");
    assert!(matches!(Server::bind(&ServeOptions::new()), Err(ServeError::Nothing)));
}

#[test]
fn a_port_that_is_taken_is_an_error_only_if_it_was_requested() {
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions::new().with_files(Some(folder.path().to_owned()));
    let [first, second] = [(); 2].map(|()| Server::bind(&options).unwrap());
    let ports = ServeOptions::DEFAULT_PORT..ServeOptions::DEFAULT_PORT + 100;
    assert!(ports.contains(&first.address().port()) && ports.contains(&second.address().port()));
    assert_ne!(first.address(), second.address());
    assert_eq!(first.url(), format!("http://127.0.0.1:{}/", first.address().port()));
    let taken = options.with_port(Some(first.address().port()));
    let error = Server::bind(&taken).unwrap_err();
    assert_eq!(error.to_string(), format!("port {} of 127.0.0.1 is in use", first.address().port()));
}

/// Clients that do not read what they requested have a deadline. Until then, others are refused in words.
#[test]
fn clients_that_read_nothing_are_dropped_in_time() {
    let folder = tempfile::tempdir().unwrap();
    // More than the system buffers between two sockets. The file has no blocks on the disk.
    let file = fs::File::create(folder.path().join("large")).unwrap();
    file.set_len(256 << 20).unwrap();
    let options = ServeOptions::new().with_files(Some(folder.path().to_owned()));
    let address = start(&options.with_max_connections(2).with_timeout(Duration::from_millis(200)));
    let request = format!("GET /files/large HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let slow = [(); 2].map(|()| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.peek(&mut [0]).unwrap();
        stream
    });
    let response = get(address, "/files/");
    assert!(
        response.starts_with("HTTP/1.1 503 ") && response.ends_with("too many connections\n"),
        "{response}"
    );
    let start = Instant::now();
    while !get(address, "/files/").starts_with("HTTP/1.1 200 ") {
        assert!(start.elapsed() < Duration::from_secs(20), "the connections are still open");
        thread::sleep(Duration::from_millis(10));
    }
    drop(slow);
}
