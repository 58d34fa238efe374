//! An MCP server on standard input and output with two tools: `drop_database`, which no guard may let pass, and `note`,
//! which is harmless. Both only write a line to a log.

use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;

/// Name that clients know the server by.
pub const SERVER: &str = "stock";
/// The tool that has to be refused.
pub const DANGEROUS: &str = "drop_database";
/// The tool that has to run.
pub const HARMLESS: &str = "note";

/// Serves until the input ends. Every call leaves `mcp TOOL NAME` in `log`.
///
/// # Errors
/// When the input cannot be read, or the output or the log cannot be written.
pub fn serve(input: impl BufRead, mut output: impl Write, log: &Path) -> io::Result<()> {
    for line in input.lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let (Some(id), Some(method)) = (message.get("id"), message.get("method").and_then(Value::as_str)) else {
            continue;
        };
        let parameters = message.get("params").cloned().unwrap_or_default();
        let answer = match method {
            "initialize" => Some(initialize(&parameters)),
            "tools/list" => Some(json!({"tools": [tool(DANGEROUS), tool(HARMLESS)]})),
            "tools/call" => Some(call(&parameters, log)?),
            "ping" => Some(json!({})),
            _ => None,
        };
        let answer = match answer {
            Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            None => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn initialize(parameters: &Value) -> Value {
    let version = parameters.get("protocolVersion").and_then(Value::as_str).unwrap_or("2024-11-05");
    json!({"protocolVersion": version, "capabilities": {"tools": {}},
        "serverInfo": {"name": SERVER, "version": env!("CARGO_PKG_VERSION")}})
}

fn tool(name: &str) -> Value {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    json!({"name": name, "description": "Writes a line to a log.", "inputSchema": schema})
}

fn call(parameters: &Value, log: &Path) -> io::Result<Value> {
    let text = |pointer| parameters.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let line = format!("mcp {} {}", text("/name"), text("/arguments/name"));
    let mut file = OpenOptions::new().create(true).append(true).open(log)?;
    writeln!(file, "{line}")?;
    Ok(json!({"content": [{"type": "text", "text": format!("done: {line}")}]}))
}
