//! What single words of SQL mean: verbs, objects, functions. Data only.

use crate::analysis::SqlClass;

/// The class of a statement by its first word, where nothing else decides it.
pub(super) fn plain(verb: &str) -> Option<SqlClass> {
    let class =
        match verb {
            "SELECT" | "VALUES" | "TABLE" | "FROM" | "SHOW" | "DESCRIBE" | "DESC" | "HELP" | "PRAGMA" | "ANALYZE"
            | "VACUUM" | "USE" | "SET" | "RESET" | "BEGIN" | "START" | "COMMIT" | "END" | "ROLLBACK" | "ABORT"
            | "SAVEPOINT" | "RELEASE" | "DECLARE" | "FETCH" | "CLOSE" | "MOVE" | "OPEN" | "LISTEN" | "NOTIFY"
            | "UNLISTEN" | "DISCARD" | "DEALLOCATE" | "CHECKPOINT" | "LOCK" | "UNLOCK" | "PRINT" | "IF" | "ELSE"
            | "ELSIF" | "ELSEIF" | "WHILE" | "FOR" | "FOREACH" | "LOOP" | "RETURN" | "RAISE" | "PERFORM"
            | "EXCEPTION" | "WHEN" | "CASE" | "SUMMARIZE" | "PIVOT" | "UNPIVOT" | "CHECK" | "CHECKSUM" | "DBCC"
            | "HANDLER" | "WITH" | "WAITFOR" | "EXISTS" | "LIST" | "CONSISTENCY" | "TRACING" | "PAGING" | "EXPAND"
            | "DELIMITER" | "CONNECT" | "DISCONNECT" | "EXIT" | "QUIT" | "CLEAR" | "STATUS" | "WARNINGS"
            | "NOWARNING" | "APPLY" | "DETACH" | "PROMPT" | "COLUMN" | "WHENEVER" | "VARIABLE" | "DEFINE" | "NULL"
            | "THEN" | "TRY" | "CATCH" | "THROW" => SqlClass::Read,
            "INSERT" | "REPLACE" | "MERGE" | "UPSERT" | "LOAD" | "CALL" | "REFRESH" | "REINDEX" | "CLUSTER"
            | "OPTIMIZE" | "REPAIR" | "BACKUP" | "KILL" | "FLUSH" | "IMPORT" | "EXPORT" | "PUT" | "BULK" | "UNLOAD"
            | "CACHE" | "STOP" | "CHANGE" => SqlClass::Write,
            "COMMENT" | "RENAME" | "UNDROP" | "FLASHBACK" | "SECURITY" | "SYSTEM" | "CREATE" | "ALTER"
            | "REPLICATE" => SqlClass::Ddl,
            "GRANT" | "REVOKE" | "DENY" | "REASSIGN" => SqlClass::Grant,
            "PURGE" | "RESTORE" | "REMOVE" => SqlClass::Drop,
            "INSTALL" | "SHUTDOWN" | "RECONFIGURE" => SqlClass::Execute,
            _ => return None,
        };
    Some(class)
}

/// Objects whose `DROP` loses data.
pub(super) const DATA: [&str; 12] = [
    "TABLE",
    "TABLES",
    "DATABASE",
    "SCHEMA",
    "KEYSPACE",
    "COLLECTION",
    "TABLESPACE",
    "OWNED",
    "PARTITION",
    "STREAM",
    "SPACE",
    "BUCKET",
];

/// Objects whose `DROP` loses what can be made again.
pub(super) const DEFINITIONS: [&str; 28] = [
    "INDEX",
    "VIEW",
    "MATERIALIZED",
    "TRIGGER",
    "FUNCTION",
    "PROCEDURE",
    "SEQUENCE",
    "TYPE",
    "DOMAIN",
    "EXTENSION",
    "RULE",
    "AGGREGATE",
    "OPERATOR",
    "CAST",
    "COLLATION",
    "CONVERSION",
    "LANGUAGE",
    "PUBLICATION",
    "SUBSCRIPTION",
    "STATISTICS",
    "EVENT",
    "SYNONYM",
    "PACKAGE",
    "MACRO",
    "POLICY",
    "SERVER",
    "TEXT",
    "FOREIGN",
];

/// Objects that are about who may do what.
pub(super) const PRINCIPALS: [&str; 8] =
    ["USER", "ROLE", "GROUP", "LOGIN", "CREDENTIAL", "CERTIFICATE", "ACCESS", "PROFILE"];

/// Words between a verb and the kind of object.
pub(super) const QUALIFIERS: [&str; 13] = [
    "OR",
    "REPLACE",
    "GLOBAL",
    "LOCAL",
    "UNLOGGED",
    "EXTERNAL",
    "UNIQUE",
    "RECURSIVE",
    "TRANSIENT",
    "VIRTUAL",
    "SECURE",
    "FORCE",
    "CLUSTERED",
];

/// Functions that do more than compute, and what calling them comes to.
pub(super) fn function(name: &str) -> Option<SqlClass> {
    const EXECUTE: [&str; 24] = [
        "xp_cmdshell",
        "pg_read_file",
        "pg_read_binary_file",
        "pg_ls_dir",
        "lo_import",
        "lo_export",
        "load_file",
        "load_extension",
        "writefile",
        "readfile",
        "sys_exec",
        "sys_eval",
        "dblink",
        "dblink_exec",
        "edit",
        "executable",
        "fts3_tokenizer",
        "sp_oacreate",
        "sp_oamethod",
        "xp_regwrite",
        "openrowset",
        "shellfs",
        "query_to_xml",
        "pg_file_write",
    ];
    const WRITE: [&str; 13] = [
        "setval",
        "pg_terminate_backend",
        "pg_cancel_backend",
        "pg_reload_conf",
        "lo_unlink",
        "lo_create",
        "lo_put",
        "pg_drop_replication_slot",
        "pg_switch_wal",
        "pg_promote",
        "pg_replication_slot_advance",
        "drop_chunks",
        "remote",
    ];
    let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    if is(&EXECUTE) {
        Some(SqlClass::Execute)
    } else if is(&WRITE) {
        Some(SqlClass::Write)
    } else {
        None
    }
}
