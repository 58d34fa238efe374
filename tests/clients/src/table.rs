//! The table of scenarios and clients.

use crate::setup::Setup;
use crate::stand::Player;
use std::fmt;

/// Width of a column, the longest name and two blanks.
const WIDTH: usize = 20;

/// What stands in one place of the table.
#[derive(Clone)]
pub(crate) enum Cell {
    /// Not tried yet.
    Empty,
    /// As wanted.
    Pass,
    /// As explained, and why that is something else.
    Explained(String),
    /// Otherwise; what happened.
    Failed(String),
}

/// One client.
pub(crate) struct Column {
    name: String,
    version: String,
}

impl Column {
    /// A client and its version.
    pub(crate) fn of(player: &Player, version: Option<String>) -> Self {
        Self { name: player.name(), version: version.unwrap_or_else(|| "?".to_owned()) }
    }
}

/// One setup: its lines, and the cells of each.
struct Block {
    id: String,
    about: String,
    lines: Vec<(String, Vec<Cell>)>,
}

/// The table.
pub(crate) struct Table {
    columns: Vec<Column>,
    blocks: Vec<Block>,
}

impl Table {
    /// An empty one.
    pub(crate) fn of(columns: Vec<Column>, setups: &[Setup]) -> Self {
        let row = vec![Cell::Empty; columns.len()];
        let block = |setup: &Setup| Block {
            id: setup.id.clone(),
            about: setup.about.clone(),
            lines: setup.cases.iter().map(|case| (case.id.clone(), row.clone())).collect(),
        };
        Self { blocks: setups.iter().map(block).collect(), columns }
    }

    /// Puts in what came of the cases of one setup in one client.
    pub(crate) fn fill(&mut self, setup: usize, column: usize, cells: Vec<Cell>) {
        let Some(block) = self.blocks.get_mut(setup) else { return };
        for ((_, row), cell) in block.lines.iter_mut().zip(cells) {
            if let Some(place) = row.get_mut(column) {
                *place = cell;
            }
        }
    }

    /// Whether every cell is as wanted or as explained.
    pub(crate) fn is_green(&self) -> bool {
        self.cells().all(|cell| matches!(cell, Cell::Pass | Cell::Explained(_)))
    }

    fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.blocks.iter().flat_map(|block| &block.lines).flat_map(|(_, row)| row)
    }

    /// What happened instead, once for all scenarios of a setup in which the same did.
    fn write_failures(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for block in &self.blocks {
            for (at, column) in self.columns.iter().enumerate() {
                let mut failures: Vec<(&str, Vec<&str>)> = Vec::new();
                for (name, row) in &block.lines {
                    let Some(Cell::Failed(what)) = row.get(at) else { continue };
                    match failures.iter_mut().find(|(seen, _)| seen == what) {
                        Some((_, names)) => names.push(name),
                        None => failures.push((what, vec![name])),
                    }
                }
                for (what, names) in failures {
                    writeln!(out, "FAIL {}, {}, {}: {what}", column.name, block.id, names.join(" "))?;
                }
            }
        }
        Ok(())
    }

    fn count(&self, like: fn(&Cell) -> bool) -> usize {
        self.cells().filter(|cell| like(cell)).count()
    }
}

/// Every explanation once, in the order of the table.
fn reasons<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<&'a str> {
    let mut reasons: Vec<&str> = Vec::new();
    for cell in cells {
        if let Cell::Explained(why) = cell
            && !reasons.contains(&why.as_str())
        {
            reasons.push(why);
        }
    }
    reasons
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = reasons(self.cells());
        write!(out, "\n{:<28}", "")?;
        for column in &self.columns {
            write!(out, "{:<WIDTH$}", column.name)?;
        }
        write!(out, "\n{:<28}", "")?;
        for column in &self.columns {
            write!(out, "{:<WIDTH$}", column.version)?;
        }
        writeln!(out)?;
        for block in &self.blocks {
            writeln!(out, "{}: {}", block.id, block.about)?;
            for (name, row) in &block.lines {
                write!(out, "  {name:<26}")?;
                for cell in row {
                    let number = |why: &String| reasons.iter().position(|reason| reason == why).map_or(0, |at| at + 1);
                    let shown = match cell {
                        Cell::Empty => "NOT TRIED".to_owned(),
                        Cell::Pass => "pass".to_owned(),
                        Cell::Explained(why) => format!("({})", number(why)),
                        Cell::Failed(_) => "FAIL".to_owned(),
                    };
                    write!(out, "{shown:<WIDTH$}")?;
                }
                writeln!(out)?;
            }
        }
        writeln!(out)?;
        for (at, reason) in reasons.iter().enumerate() {
            writeln!(out, "({}) {reason}", at + 1)?;
        }
        self.write_failures(out)?;
        let (pass, explained) =
            (self.count(|c| matches!(c, Cell::Pass)), self.count(|c| matches!(c, Cell::Explained(_))));
        let rest = self.cells().count() - pass - explained;
        write!(out, "\nclients: {pass} passed, {explained} as explained, {rest} failed")
    }
}
