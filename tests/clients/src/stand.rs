//! Puts one client up in one setup, has the scenarios tried in it, and judges them.

use crate::judge::judge;
use crate::setup::{Case, Change, Guard, How, Setup};
use crate::table::Cell;
use fourseam_prove::client::{Client, Voice};
use fourseam_prove::{Limits, Model, Outcome, Program, Session, Stage};
use serde_json::Value;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long `fourseam install` may take, a start of the client that it asks for hashes included.
const INSTALL: Limits = Limits { time: Duration::from_secs(60) };

/// What all setups stand on.
pub(crate) struct Ground {
    /// Folder of the throw-away homes.
    pub(crate) root: PathBuf,
    /// The program under test.
    pub(crate) fourseam: PathBuf,
}

impl Ground {
    /// The version of a client.
    pub(crate) fn version(&self, player: &Player) -> Option<String> {
        let stage = self.stage(player, "version").ok()?;
        player.program.version(&stage, INSTALL)
    }

    fn stage(&self, player: &Player, name: &str) -> io::Result<Stage> {
        let of = self.root.join(player.name().replace(' ', "-"));
        let root = of.join(name);
        if root.exists() {
            fs::remove_dir_all(&root)?;
        }
        fs::create_dir_all(&root)?;
        let stage = Stage::lay(&root, &self.fourseam, &player.program.path)?;
        stage.share_cache(&of.join("cache"))?;
        Ok(stage)
    }
}

/// A client in one of its dialects.
#[derive(Clone)]
pub(crate) struct Player {
    /// The client.
    pub(crate) client: &'static dyn Client,
    /// Where it is.
    pub(crate) program: Program,
    /// Its dialect.
    pub(crate) voice: Voice,
}

impl Player {
    /// What stands over its column.
    pub(crate) fn name(&self) -> String {
        format!("{}{}", self.client.host(), self.voice.suffix())
    }
}

/// One cell for every case of the setup.
pub(crate) fn perform(ground: &Ground, player: &Player, setup: &Setup) -> Vec<Cell> {
    if let Some(because) = setup.nothing_for(player.client.host()) {
        return vec![Cell::Explained(because.to_owned()); setup.cases.len()];
    }
    let outcomes = attempt(ground, player, setup);
    let cell = |(number, case): (usize, &Case)| {
        let (expect, because) = setup.expected(case, player.client.host(), player.voice);
        let judged = match &outcomes {
            Ok((outcomes, heard)) => match outcomes.get(number) {
                Some(outcome) => judge(expect, outcome, heard),
                None => Err("there is no outcome".to_owned()),
            },
            Err(error) => Err(error.to_string()),
        };
        match (judged, because) {
            (Ok(()), None) => Cell::Pass,
            (Ok(()), Some(because)) => Cell::Explained(because.to_owned()),
            (Err(what), None) => Cell::Failed(what),
            (Err(what), Some(because)) => Cell::Failed(format!("not as explained ({because}): {what}")),
        }
    };
    setup.cases.iter().enumerate().map(cell).collect()
}

/// What came of each case, and all that the model heard beside results.
fn attempt(ground: &Ground, player: &Player, setup: &Setup) -> io::Result<(Vec<Outcome>, String)> {
    let Player { client, program, voice } = player;
    let (client, voice) = (*client, *voice);
    let stage = ground.stage(player, &setup.id)?;
    let limits = Limits { time: Duration::from_secs(setup.seconds) };
    let starts = u64::try_from(setup.cases.len()).unwrap_or(1).saturating_add(2);
    let model = Model::start(Duration::from_secs(setup.seconds.saturating_mul(starts)))?;
    client.configure(&stage, &model.url())?;
    let options = setup.install.iter().map(String::as_str);
    fourseam(ground, client, &stage, ["install", "--yes"].into_iter().chain(options))?;
    if setup.native {
        fourseam(ground, client, &stage, ["native", "--write"])?;
    }
    for change in setup.changes_of(client.host()) {
        apply(change, &stage)?;
    }
    fate(setup.guard, &stage.installed())?;
    let (stage, model, permission) = (&stage, &model, setup.permission());
    let session = Session { client, program, stage, model, permission, voice, says: &setup.prompt, limits };
    let scenarios: Vec<_> = setup.cases.iter().map(Case::scenario).collect();
    let outcomes = session.attempt(&scenarios)?;
    Ok((outcomes, model.prompts().join("\n")))
}

/// Runs a verb of the program under test for this client.
fn fourseam<'a>(
    ground: &Ground,
    client: &dyn Client,
    stage: &Stage,
    arguments: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    let mut command = stage.command(&ground.fourseam);
    command.args(arguments).args(["--host", client.host()]);
    let ended = stage.run(command, INSTALL)?;
    if ended.code == Some(0) {
        return Ok(());
    }
    Err(io::Error::other(format!("the installation failed: {} {}", ended.stdout.trim(), ended.stderr.trim())))
}

fn apply(change: &Change, stage: &Stage) -> io::Result<()> {
    let file = PathBuf::from(stage.fill(&change.file));
    let old = fs::read_to_string(&file).unwrap_or_default();
    let new = match &change.how {
        How::Append(text) => format!("{old}{}", stage.fill(text)),
        How::Script(text) => {
            stage.write(&file, &format!("#!/bin/sh\n{}\n", stage.fill(text)))?;
            return fs::set_permissions(&file, fs::Permissions::from_mode(0o755));
        }
        How::Set(keys) => {
            let mut value: Value =
                if old.is_empty() { Value::Object(serde_json::Map::new()) } else { serde_json::from_str(&old)? };
            if let Some(object) = value.as_object_mut() {
                object.extend(keys.clone());
            }
            value.to_string()
        }
    };
    stage.write(&file, &new)
}

/// Puts in the place of the installed program what the setup wants there.
fn fate(guard: Guard, installed: &Path) -> io::Result<()> {
    let script = match guard {
        Guard::Works => return Ok(()),
        Guard::Deleted => return fs::remove_file(installed),
        Guard::Crashes => "kill -SEGV $$",
        Guard::Fails => "echo 'no space left on device' >&2\nexit 1",
        // At the other events it says nothing, so that a test takes one time limit of the client and not five.
        Guard::Hangs => {
            "case $3 in PreToolUse|preToolUse|BeforeTool|tool.execute.before) exec sleep 600;; esac\nexit 0"
        }
    };
    fs::remove_file(installed)?;
    fs::write(installed, format!("#!/bin/sh\n{script}\n"))?;
    fs::set_permissions(installed, fs::Permissions::from_mode(0o755))
}
