//! One HTTPS request. No proxy from the environment (a repository can set it), no redirect, certificates of the system
//! and those the policy names, a bound on time and size.

use super::backend::{KeyHeader, Request};
use crate::file;
use fourseam_core::judge::JudgeSettings;
use serde_json::Value;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

/// Largest reply that is read.
const LARGEST: u64 = 256 * 1024;
/// Largest file of certificates.
const LARGEST_CA: usize = 1024 * 1024;
/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(3);

/// A client for one address.
pub(super) struct Client {
    agent: Agent,
    url: String,
}

/// Why there is no reply.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The server answered with this status.
    Status(u16),
    /// Anything else, in words.
    Failed(String),
}

impl Refusal {
    /// Whether the server did not understand the request.
    pub(super) fn is_bad_request(&self) -> bool {
        matches!(self, Self::Status(400))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(401 | 403) => {
                out.write_str("the judge refuses the key (HTTP 401 or 403): see `judge.key_env`")
            }
            Self::Status(404) => out.write_str("the judge has no such address or model (HTTP 404): see `judge.url`"),
            Self::Status(429) => out.write_str("the judge has had too many questions (HTTP 429)"),
            Self::Status(status) => write!(out, "the judge answered HTTP {status}"),
            Self::Failed(why) => write!(out, "the judge cannot be asked: {why}"),
        }
    }
}

impl Client {
    /// A client for the address of the settings.
    ///
    /// # Errors
    /// When the certificates that the settings name cannot be read.
    pub(super) fn new(settings: &JudgeSettings) -> Result<Self, String> {
        let url = settings.url();
        let timeout = settings.timeout();
        let mut config = Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("fourseam/", env!("CARGO_PKG_VERSION")))
            .timeout_global(Some(timeout))
            .timeout_connect(Some(CONNECT.min(timeout)));
        if url.starts_with("https://") {
            config = config.tls_config(TlsConfig::builder().root_certs(roots(settings.ca_file.as_deref())?).build());
        }
        Ok(Self { agent: config.build().new_agent(), url })
    }

    /// Sends a request and reads the reply.
    ///
    /// # Errors
    /// When there is no good reply.
    pub(super) fn send(&self, request: &Request, key: Option<&str>) -> Result<Value, Refusal> {
        let failed = |error: ureq::Error| Refusal::Failed(error.to_string());
        let mut post = self.agent.post(&self.url).header("content-type", "application/json");
        for (name, value) in &request.headers {
            post = post.header(*name, *value);
        }
        if let Some(key) = key {
            post = match request.key {
                KeyHeader::Bearer => post.header("authorization", format!("Bearer {key}")),
                KeyHeader::ApiKey => post.header("x-api-key", key),
            };
        }
        let mut response = post.send(request.body.to_string()).map_err(failed)?;
        if response.status().as_u16() != 200 {
            return Err(Refusal::Status(response.status().as_u16()));
        }
        let text = response.body_mut().with_config().limit(LARGEST).read_to_string().map_err(failed)?;
        serde_json::from_str(&text).map_err(|error| Refusal::Failed(format!("the reply is not JSON: {error}")))
    }
}

/// The certificates of the system and of a file.
fn roots(extra: Option<&str>) -> Result<RootCerts, String> {
    let system = rustls_native_certs::load_native_certs();
    let mut certificates: Vec<Certificate<'static>> =
        system.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    if let Some(path) = extra {
        let bytes =
            file::read(Path::new(path), LARGEST_CA).map_err(|error| format!("`judge.ca_file` `{path}`: {error}"))?;
        let before = certificates.len();
        certificates.extend(parse_pem(&bytes).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        }));
        if certificates.len() == before {
            return Err(format!("`judge.ca_file` `{path}` holds no certificate in PEM form"));
        }
    }
    if certificates.is_empty() {
        return Err("this system has no certificates: install `ca-certificates`, or set `judge.ca_file`".to_owned());
    }
    Ok(RootCerts::new_with_certs(&certificates))
}
