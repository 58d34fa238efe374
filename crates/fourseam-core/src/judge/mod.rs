//! The optional model, without its network: when it is asked, what it is asked, and what is made of its answer.
//!
//! A judge never sees which rule nearly matched, never weakens a deny, and cannot allow what a rule stops or what
//! could not be read. Whatever it leaves out counts as 0.5, which decides nothing.

mod answer;
mod note;
mod opinion;
mod prompt;
mod question;
mod settings;
mod state;

pub use answer::{Answer, Unreadable};
pub use note::JudgeNote;
pub use opinion::{Bars, opine};
pub use prompt::Prompt;
pub use question::{Item, Kind, Question, Questions, Risk, Sheet, wanted};
pub use settings::{Backend, JudgeSettings, Thresholds};
pub use state::{Fence, Material};

#[cfg(test)]
mod tests;
