//! Host names of this machine.
//!
//! A page of another site can send requests to a server on this machine if its own host name leads here (DNS
//! rebinding). The browser then sends that name in the field `Host`.

use std::net::{Ipv4Addr, Ipv6Addr};

/// True if `host`, the value of a field `Host`, is a name of the loopback interface, with or without a port.
/// The port may be another one: a tunnel may lead to this server.
pub fn is_loopback(host: &str) -> bool {
    if let Some(rest) = host.strip_prefix('[') {
        let Some((address, port)) = rest.split_once(']') else { return false };
        return is_port(port) && address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback());
    }
    let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
    let is_address = name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback());
    is_port(port) && (is_address || name.eq_ignore_ascii_case("localhost"))
}

/// True if `text` is empty or a colon with a port.
fn is_port(text: &str) -> bool {
    let Some(digits) = text.strip_prefix(':') else { return text.is_empty() };
    !digits.is_empty() && digits.len() <= 5 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_loopback_pass() {
        for host in ["localhost", "LocalHost:80", "127.0.0.1:8474", "127.9.9.9", "[::1]", "[::1]:8474"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "evil.example",
            "evil.example:8474",
            "localhost.evil.example",
            "localhost.",
            "127.0.0.1.evil.example",
            "127.0.0.1:80@evil.example",
            "localhost:",
            "localhost:80:80",
            "localhost:123456",
            "localhost:8o",
            "0.0.0.0",
            "0127.0.0.1",
            "2130706433",
            "192.168.0.1",
            "[::]",
            "[::1",
            "[::1]x",
            "::1",
            "[::ffff:192.168.0.1]:80",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
