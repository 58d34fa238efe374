//! What was done before: transcripts of the agents and our own log, looked at again. Reads only.

mod past;
pub(crate) mod transcripts;

pub(crate) use past::Past;
