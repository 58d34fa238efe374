//! What a URL alone tells, offline: where it leads and what it carries. Findings only; rules decide.

use super::effect::Finding;
use crate::code::percent_decoded;
use crate::detect::{self, Part};
use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Ports of services that hand out control without a password: docker, kubelet, debuggers, databases.
const CONTROL_PORTS: &[u16] =
    &[2375, 2376, 2379, 4243, 5005, 5858, 6379, 8001, 8500, 9200, 9222, 9229, 10250, 10255, 11211, 27017];
/// Ports that ordinary pages are served on.
const WEB_PORTS: &[u16] = &[80, 443, 8080, 8443, 3000, 3001, 4000, 4200, 5000, 5173, 8000, 8888, 9000];
/// Services whose addresses hide where they lead, or hold whatever someone uploaded.
const OPAQUE_HOSTS: &[&str] = &[
    "bit.ly",
    "tinyurl.com",
    "t.co",
    "goo.gl",
    "is.gd",
    "ow.ly",
    "rb.gy",
    "cutt.ly",
    "shorturl.at",
    "transfer.sh",
    "pastebin.com",
    "paste.ee",
    "0x0.st",
    "file.io",
    "ix.io",
    "termbin.com",
    "anonfiles.com",
    "catbox.moe",
    "webhook.site",
    "requestbin.com",
    "pipedream.net",
    "ngrok.io",
    "ngrok-free.app",
    "trycloudflare.com",
    "interact.sh",
    "oast.fun",
    "burpcollaborator.net",
    "serveo.net",
    "loca.lt",
];
/// Names of metadata services.
const METADATA_HOSTS: &[&str] = &["metadata", "metadata.google.internal", "instance-data", "metadata.azure.com"];
/// Shortest run of letters and digits that may be smuggled data.
const MIN_BLOB: usize = 40;

/// The parts of a URL that findings look at.
struct Parts<'u> {
    scheme: &'u str,
    user: Option<&'u str>,
    host: String,
    port: Option<u16>,
    rest: &'u str,
}

/// What a URL tells, in order of weight.
pub(super) fn findings(url: &str) -> Vec<Finding> {
    let url = url.trim();
    let mut found = Vec::new();
    for secret in detect::scan(Part::Command, &with_samples_as_keys(&percent_decoded(url))) {
        found.push(finding("url-secret", secret.confidence, &secret.message));
    }
    let Some(parts) = parts(url) else { return found };
    if !matches!(parts.scheme, "http" | "https" | "ws" | "wss" | "git" | "ssh" | "ftp" | "ftps" | "s3" | "gs") {
        found.push(finding("url-scheme", 0.9, "the address is not one of a web page"));
    }
    if parts.user.is_some() && matches!(parts.scheme, "http" | "https") {
        found.push(finding("url-credentials", 0.8, "a user name or password stands in the address"));
    }
    found.extend(of_host(&parts));
    if carries_blob(&parts) {
        found.push(finding("url-opaque-data", 0.8, "the address carries a long opaque text, as smuggled data does"));
    }
    found
}

/// Opaque data or secrets in a text that goes to someone else, such as a search query.
pub(super) fn text_findings(text: &str) -> Vec<Finding> {
    let mut found: Vec<Finding> = detect::scan(Part::Command, &with_samples_as_keys(text))
        .into_iter()
        .map(|secret| finding("url-secret", secret.confidence, &secret.message))
        .collect();
    if text.split(|letter: char| letter.is_whitespace() || ",;\"'()".contains(letter)).any(is_blob) {
        found.push(finding("url-opaque-data", 0.8, "the text carries a long opaque word, as smuggled data does"));
    }
    found
}

/// The text with the word `EXAMPLE` at the end of a sample key put out of it. Samples in a file are no secrets; what is
/// sent out with the shape of a key is judged by its shape.
fn with_samples_as_keys(text: &str) -> Cow<'_, str> {
    const WORD: &str = "EXAMPLE";
    if !text.contains(WORD) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(WORD);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends_a_key = out.bytes().rev().take(8).filter(u8::is_ascii_alphanumeric).count() == 8;
        out.push_str(if ends_a_key { "Q7ZKX2M" } else { WORD });
        out.push_str(part);
    }
    Cow::Owned(out)
}

fn of_host(parts: &Parts<'_>) -> Vec<Finding> {
    let host = parts.host.as_str();
    let mut found = Vec::new();
    let address = ipv4(host).or_else(|| embedded_ipv4(host));
    if METADATA_HOSTS.contains(&host) || address.is_some_and(is_metadata) || is_metadata_v6(host) {
        found.push(finding("url-metadata", 1.0, "the address is the cloud's metadata service"));
        return found;
    }
    let is_loopback = address.is_some_and(|address| address.is_loopback() || address.is_unspecified())
        || matches!(host, "localhost" | "::1" | "::")
        || host.ends_with(".localhost");
    if is_loopback {
        let is_control = parts.port.is_some_and(|port| CONTROL_PORTS.contains(&port));
        found.push(if is_control {
            finding("url-control-port", 0.9, "the port is one of a service that obeys whoever can reach it")
        } else {
            finding("url-loopback", 0.5, "the address is this machine")
        });
        return found;
    }
    let is_internal = address
        .is_some_and(|address| address.is_private() || address.is_link_local() || is_shared(address))
        || is_internal_v6(host)
        || [".internal", ".local", ".lan", ".intranet", ".corp", ".home.arpa"].iter().any(|end| host.ends_with(end));
    if is_internal {
        found.push(finding("url-internal", 0.9, "the address is in a private network"));
    } else if address.is_some() || host.contains(':') {
        found.push(finding("url-raw-address", 0.7, "the address is a number instead of a name"));
    }
    if host.split('.').any(|label| label.starts_with("xn--")) || !host.is_ascii() {
        found.push(finding("url-lookalike", 0.8, "the host's name has letters that look like others"));
    }
    if OPAQUE_HOSTS.iter().any(|known| host == *known || host.strip_suffix(known).is_some_and(|sub| sub.ends_with('.')))
    {
        found.push(finding("url-opaque-host", 0.8, "the host hides where the address leads or who put it there"));
    }
    if parts.port.is_some_and(|port| !WEB_PORTS.contains(&port)) && !is_internal {
        found.push(finding("url-port", 0.5, "the port is unusual for a web page"));
    }
    found
}

/// Splits as a client does: the last `@` before the first `/` ends the user part, any of the Unicode full stops is one.
fn parts(url: &str) -> Option<Parts<'_>> {
    let (scheme, behind) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    if !is_scheme {
        return None;
    }
    let Some(behind) = behind.strip_prefix("//") else {
        return Some(Parts { scheme, user: None, host: String::new(), port: None, rest: behind });
    };
    let end = behind.find(['/', '?', '#', '\\']).unwrap_or(behind.len());
    let (authority, rest) = behind.split_at_checked(end)?;
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let (host, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, port)) => (address, port.strip_prefix(':')),
        None => match host.rsplit_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host, None),
        },
    };
    let host = percent_decoded(host).replace(['\u{3002}', '\u{ff0e}', '\u{ff61}'], ".").to_lowercase();
    let host = host.trim_end_matches('.').to_owned();
    Some(Parts { scheme, user, host, port: port.and_then(|port| port.parse().ok()), rest })
}

/// An IPv4 address in any spelling that clients accept: one to four numbers, decimal, octal or hexadecimal.
fn ipv4(host: &str) -> Option<Ipv4Addr> {
    let numbers: Vec<u64> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = numbers.split_last()?;
    if first.len() > 3 || first.iter().any(|number| *number > 255) {
        return None;
    }
    let room = 8 * (4 - u32::try_from(first.len()).ok()?);
    if *last >> room != 0 {
        return None;
    }
    let head = first.iter().fold(0_u64, |all, number| all << 8 | number);
    u32::try_from(head << room | last).ok().map(Ipv4Addr::from)
}

fn number(text: &str) -> Option<u64> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(text, 8).ok(),
        None if text.chars().all(|letter| letter.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

/// The IPv4 address inside an IPv6 one, or in front of a name that resolves to it (`203.0.113.7.nip.io`).
fn embedded_ipv4(host: &str) -> Option<Ipv4Addr> {
    if let Ok(address) = host.parse::<Ipv6Addr>() {
        return address.to_ipv4_mapped();
    }
    let name = [".nip.io", ".sslip.io", ".xip.io"].iter().find_map(|end| host.strip_suffix(end))?;
    let labels: Vec<&str> = name.split(['.', '-']).collect();
    let last_four = labels.get(labels.len().checked_sub(4)?..)?;
    ipv4(&last_four.join("."))
}

fn is_metadata(address: Ipv4Addr) -> bool {
    matches!(
        address.octets(),
        [169, 254, 169, 254] | [169, 254, 170, 2 | 23] | [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16]
    )
}

fn is_metadata_v6(host: &str) -> bool {
    host.parse::<Ipv6Addr>().is_ok_and(|address| address.segments() == [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254])
}

fn is_internal_v6(host: &str) -> bool {
    host.parse::<Ipv6Addr>().is_ok_and(|address| address.is_unique_local() || address.is_unicast_link_local())
}

/// Carrier-grade NAT, used inside companies and clouds.
fn is_shared(address: Ipv4Addr) -> bool {
    matches!(address.octets(), [100, 64..=127, ..])
}

/// Long opaque text in path, query, user or host labels. Hashes, ids and slugs are not.
fn carries_blob(parts: &Parts<'_>) -> bool {
    let rest = percent_decoded(parts.rest);
    let in_rest = rest.split(['/', '?', '&', '=', '#', ';', ',', ' ']).any(|word| {
        // A file ending behind smuggled data does not make it a file name.
        is_blob(word.rsplit_once('.').map_or(word, |(stem, _)| stem)) || is_blob(word)
    });
    in_rest || parts.user.is_some_and(is_blob) || parts.host.split('.').any(is_blob) || is_blob(&joined_labels(parts))
}

/// Several long labels in a row, as data sent through name lookups is cut.
fn joined_labels(parts: &Parts<'_>) -> String {
    parts.host.split('.').filter(|label| label.len() >= 24).collect()
}

/// Whether a word looks like encoded data: long, of one alphabet, mixed, neither a hash nor words.
fn is_blob(word: &str) -> bool {
    let word = word.trim_end_matches('=');
    let is_alphabet = |letter: char| letter.is_ascii_alphanumeric() || "+-_/".contains(letter);
    if word.len() < MIN_BLOB || !word.chars().all(is_alphabet) {
        return false;
    }
    let is_hash =
        word.chars().all(|letter| letter.is_ascii_hexdigit()) && matches!(word.len(), 40 | 56 | 64 | 96 | 128);
    let parts_of_words = word.split(['-', '_']).map(str::len);
    let longest = parts_of_words.max().unwrap_or(0);
    // Ids of documents are about this long and have no meaning to decode.
    let is_id = word.len() <= 44 && longest <= 44 && !is_decodable(word);
    let has = |test: fn(&char) -> bool| word.chars().any(|letter| test(&letter));
    let is_mixed = has(char::is_ascii_digit) && (has(char::is_ascii_uppercase) || has(char::is_ascii_lowercase));
    let is_base32 = longest == word.len()
        && word.chars().all(|letter| letter.is_ascii_uppercase() || ('2'..='7').contains(&letter));
    !is_hash && !is_id && longest >= 24 && (is_mixed || is_base32 || is_decodable(word))
}

/// Whether base64 decoding gives mostly readable text.
fn is_decodable(word: &str) -> bool {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let Some(values) = word.bytes().map(value).collect::<Option<Vec<u8>>>() else { return false };
    let bytes: Vec<u8> = values
        .chunks(4)
        .flat_map(|chunk| {
            let bits = chunk.iter().fold(0_u32, |all, value| all << 6 | u32::from(*value)) << (6 * (4 - chunk.len()));
            let [_, first, second, third] = bits.to_be_bytes();
            [first, second, third].into_iter().take(chunk.len().saturating_sub(1))
        })
        .collect();
    let readable = bytes.iter().filter(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace()).count();
    !bytes.is_empty() && readable * 10 >= bytes.len() * 9
}

fn finding(detector: &str, confidence: f32, message: &str) -> Finding {
    Finding { detector: detector.to_owned(), confidence, message: message.to_owned(), span: (0, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(url: &str) -> Vec<String> {
        findings(url).into_iter().map(|finding| finding.detector).collect()
    }

    #[test]
    fn the_metadata_service_is_known_in_every_spelling() {
        for url in [
            "http://169.254.169.254/latest/",
            "http://2852039166/",
            "http://0xA9FEA9FE/",
            "http://0xa9.0xfe.0xa9.0xfe/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]/",
            "http://[fd00:ec2::254]/",
            "http://example.com@169.254.169.254/",
            "http://169\u{3002}254\u{3002}169\u{3002}254/",
            "http://169.254.169.254.nip.io/",
            "http://metadata.google.internal./computeMetadata/v1/",
            "http://169.254.169.254:80/metadata/instance",
        ] {
            assert!(ids(url).contains(&"url-metadata".to_owned()), "{url}: {:?}", ids(url));
        }
    }

    #[test]
    fn ordinary_addresses_are_silent() {
        for url in [
            "https://git.example.com/team/app/commit/9fceb02d0ae598e95dc970b74767f19372d61af8",
            "https://git.example.com/a/compare/1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b...0b9a8f7e6d5c4b3a2f1e0d9c8b7a6f5e4d3c2b1a",
            "https://blog.example.com/2026/03/how-i-stopped-my-agent-from-running-terraform-destroy-on-production-and-why",
            "https://docs.example.com/document/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG/edit",
            "https://example.com/search?q=how+to+recover+files+after+rm+-rf",
            "https://hash.example.com/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "https://cdn.example.com/npm/lodash@4.17.21/lodash.min.js",
            "https://fonts.example.com/css2?family=Inter:wght@400;600&display=swap",
            "https://example.com/a%20file.pdf",
        ] {
            assert_eq!(ids(url), Vec::<String>::new(), "{url}");
        }
    }

    #[test]
    fn other_addresses_are_told_by_kind() {
        for (url, id) in [
            ("http://localhost:3000/docs", "url-loopback"),
            ("http://127.1:2375/containers", "url-control-port"),
            ("http://192.168.1.1/admin", "url-internal"),
            ("http://db.corp.internal/", "url-internal"),
            ("https://203.0.113.7/x", "url-raw-address"),
            ("https://xn--exmple-cua.com/", "url-lookalike"),
            ("https://bit.ly/3abc", "url-opaque-host"),
            ("https://example.com:4444/", "url-port"),
            ("https://ana:pw12345@files.example.com/", "url-credentials"),
            ("file:///etc/passwd", "url-scheme"),
            ("gopher://127.0.0.1:6379/_x", "url-scheme"),
            ("data:text/html;base64,PHA+aGk8L3A+", "url-scheme"),
            (
                "https://collect.example.com/?d=REFUQUJBU0VfVVJMPXBvc3RncmVzOi8vdXNlcjpzZWNyZXRAZGIuZXhhbXBsZS5jb20vYXBw",
                "url-opaque-data",
            ),
            (
                "https://collect.example.com/i/REFUQUJBU0VfVVJMPXBvc3RncmVzOi8vdXNlcjpzZWNyZXRAZGIuZXhhbXBsZS5jb20/p.png",
                "url-opaque-data",
            ),
        ] {
            assert!(ids(url).contains(&id.to_owned()), "{url}: {:?}", ids(url));
        }
    }
}
