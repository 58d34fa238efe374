//! Commands of redis-cli: one a line, words as the client splits them.
//!
//! Limits: Lua given to `EVAL` is searched for `redis.call('NAME'`, not read. A command that is not listed has
//! class `unknown`.

use super::{Act, ActTarget, Reading, Text, shorten};
use crate::analysis::{EffectKind, SqlClass};

/// Reads commands, one a line.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut reads = Vec::new();
    for line in text.lines().take(2000) {
        let words = words(line);
        let Some(verb) = words.first() else { continue };
        if verb.eq_ignore_ascii_case("shutdown") {
            let target = ActTarget::Resource(Text::known("redis"));
            let kind = EffectKind::Process;
            reading.act(Act::Effect { kind, verb: "stop", target, recursive: false, taint: Vec::new() });
            continue;
        }
        match class(&words, line) {
            SqlClass::Read => reads.push(line.trim()),
            class => reading.act(Act::Sql { class, text: shorten(line) }),
        }
    }
    if !reads.is_empty() {
        reading.act(Act::Sql { class: SqlClass::Read, text: shorten(&reads.join("; ")) });
    }
    reading
}

fn class(words: &[String], line: &str) -> SqlClass {
    let upper: Vec<String> = words.iter().take(3).map(|word| word.to_ascii_uppercase()).collect();
    let words: Vec<&str> = upper.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["FLUSHALL" | "FLUSHDB" | "REPLICAOF" | "SLAVEOF", ..] | ["CLUSTER", "RESET" | "FLUSHSLOTS", ..] => {
            SqlClass::Drop
        }
        ["CONFIG", "SET", "DIR" | "DBFILENAME" | "ENABLE-MODULE-COMMAND" | "LOADMODULE"] => SqlClass::Execute,
        ["MODULE", "LOAD" | "LOADEX", ..] | ["DEBUG" | "MIGRATE", ..] => SqlClass::Execute,
        ["ACL", "SETUSER" | "DELUSER" | "LOAD", ..] => SqlClass::Grant,
        ["CONFIG", "SET", "REQUIREPASS" | "PROTECTED-MODE" | "MASTERAUTH"] => SqlClass::Grant,
        ["CONFIG", "SET" | "REWRITE", ..] | ["FT.DROPINDEX" | "FT.DROP" | "FT.CREATE", ..] => SqlClass::Ddl,
        ["FUNCTION", "FLUSH" | "DELETE" | "LOAD" | "RESTORE", ..] | ["SCRIPT", "FLUSH" | "LOAD", ..] => SqlClass::Ddl,
        ["EVAL" | "EVALSHA" | "FCALL", ..] => script(line),
        ["EVAL_RO" | "EVALSHA_RO" | "FCALL_RO", ..] => SqlClass::Read,
        ["CLIENT", "KILL" | "PAUSE" | "NO-EVICT", ..] | ["CLUSTER", "FAILOVER" | "FORGET" | "MEET", ..] => {
            SqlClass::Write
        }
        ["XGROUP", ..] => SqlClass::Write,
        [verb, ..] if READS.contains(verb) => SqlClass::Read,
        [verb, ..] if WRITES.contains(verb) => SqlClass::Write,
        [_, ..] => SqlClass::Unknown,
        [] => SqlClass::Read,
    }
}

/// The worst command that a Lua text calls by a literal name.
fn script(line: &str) -> SqlClass {
    let lower = line.to_ascii_lowercase();
    let calls = lower.split("redis.").skip(1).filter_map(|call| {
        let name = call.strip_prefix("call(").or_else(|| call.strip_prefix("pcall("))?;
        name.trim_start().trim_start_matches(['\'', '"']).split(['\'', '"']).next()
    });
    let worst = calls.map(|name| {
        let name = name.to_ascii_uppercase();
        class(std::slice::from_ref(&name), &name)
    });
    worst.fold(SqlClass::Write, |a, b| if matches!(b, SqlClass::Drop | SqlClass::Execute) { b } else { a })
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut chars = line.trim().chars().peekable();
    while let Some(first) = chars.next() {
        if first.is_whitespace() {
            continue;
        }
        let quote = matches!(first, '"' | '\'').then_some(first);
        let mut word = if quote.is_none() { first.to_string() } else { String::new() };
        while let Some(c) = chars.next() {
            match quote {
                Some(quote) if c == quote => break,
                Some('"') if c == '\\' => word.extend(chars.next()),
                None if c.is_whitespace() => break,
                Some(_) | None => word.push(c),
            }
        }
        words.push(word);
    }
    words
}

const READS: &[&str] = &[
    "GET",
    "MGET",
    "KEYS",
    "SCAN",
    "SSCAN",
    "HSCAN",
    "ZSCAN",
    "TYPE",
    "TTL",
    "PTTL",
    "EXISTS",
    "INFO",
    "PING",
    "ECHO",
    "DBSIZE",
    "HGET",
    "HGETALL",
    "HMGET",
    "HKEYS",
    "HVALS",
    "HLEN",
    "HEXISTS",
    "LRANGE",
    "LLEN",
    "LINDEX",
    "LPOS",
    "SMEMBERS",
    "SISMEMBER",
    "SCARD",
    "SINTER",
    "SUNION",
    "SDIFF",
    "SRANDMEMBER",
    "ZRANGE",
    "ZREVRANGE",
    "ZSCORE",
    "ZCARD",
    "ZCOUNT",
    "ZRANK",
    "ZRANGEBYSCORE",
    "ZREVRANGEBYSCORE",
    "STRLEN",
    "GETRANGE",
    "GETBIT",
    "BITCOUNT",
    "OBJECT",
    "MEMORY",
    "LATENCY",
    "SLOWLOG",
    "MONITOR",
    "CLIENT",
    "CLUSTER",
    "COMMAND",
    "CONFIG",
    "TIME",
    "ROLE",
    "LASTSAVE",
    "SELECT",
    "AUTH",
    "HELLO",
    "QUIT",
    "EXIT",
    "HELP",
    "DUMP",
    "RANDOMKEY",
    "TOUCH",
    "WAIT",
    "XRANGE",
    "XREVRANGE",
    "XLEN",
    "XINFO",
    "XREAD",
    "XPENDING",
    "PUBSUB",
    "SUBSCRIBE",
    "PSUBSCRIBE",
    "GEODIST",
    "GEOPOS",
    "GEOSEARCH",
    "PFCOUNT",
    "MODULE",
    "FUNCTION",
    "SCRIPT",
    "ACL",
    "FT.SEARCH",
    "FT.INFO",
    "FT._LIST",
    "JSON.GET",
    "TS.RANGE",
    "TS.GET",
    "TS.INFO",
    "READONLY",
    "READWRITE",
    "MULTI",
    "EXEC",
    "DISCARD",
    "WATCH",
    "UNWATCH",
    "SENTINEL",
];

const WRITES: &[&str] = &[
    "SET",
    "SETEX",
    "PSETEX",
    "SETNX",
    "MSET",
    "MSETNX",
    "GETSET",
    "GETDEL",
    "GETEX",
    "APPEND",
    "DEL",
    "UNLINK",
    "EXPIRE",
    "PEXPIRE",
    "EXPIREAT",
    "PEXPIREAT",
    "PERSIST",
    "RENAME",
    "RENAMENX",
    "MOVE",
    "COPY",
    "INCR",
    "INCRBY",
    "INCRBYFLOAT",
    "DECR",
    "DECRBY",
    "HSET",
    "HMSET",
    "HSETNX",
    "HDEL",
    "HINCRBY",
    "LPUSH",
    "RPUSH",
    "LPOP",
    "RPOP",
    "LREM",
    "LSET",
    "LTRIM",
    "LINSERT",
    "LMOVE",
    "RPOPLPUSH",
    "BLPOP",
    "BRPOP",
    "SADD",
    "SREM",
    "SPOP",
    "SMOVE",
    "SINTERSTORE",
    "SUNIONSTORE",
    "SDIFFSTORE",
    "ZADD",
    "ZREM",
    "ZINCRBY",
    "ZREMRANGEBYSCORE",
    "ZREMRANGEBYRANK",
    "ZPOPMIN",
    "ZPOPMAX",
    "ZUNIONSTORE",
    "ZINTERSTORE",
    "SETRANGE",
    "SETBIT",
    "BITOP",
    "XADD",
    "XDEL",
    "XTRIM",
    "XACK",
    "XCLAIM",
    "PUBLISH",
    "GEOADD",
    "PFADD",
    "PFMERGE",
    "RESTORE",
    "SORT",
    "SWAPDB",
    "SAVE",
    "BGSAVE",
    "BGREWRITEAOF",
    "FAILOVER",
    "RESET",
    "JSON.SET",
    "JSON.DEL",
    "TS.ADD",
    "TS.DEL",
    "TS.CREATE",
];
