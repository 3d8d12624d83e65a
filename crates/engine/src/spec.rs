//! Agents by name: the text that asks for one, and the entry that describes and makes it.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use yarra_games::{Game, Position};

use crate::settings::read_pairs;
use crate::{Agent, OptionInfo, Settings};

/// The text that asks for an agent, read once.
///
/// It is `NAME` or `NAME:key=value,key=value` for one of our own, `python:DIR[:package[:Class]]` for an external
/// agent of the course and `ugi:COMMAND` for an external engine. Whether an own agent and its options exist is
/// known to the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentSpec {
    text: String,
    kind: AgentKind,
}

/// What an [`AgentSpec`] asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentKind {
    /// One of our own agents.
    Own {
        /// Its name, such as `negamax`.
        name: String,
        /// Its options as they were given, each at most once.
        options: Vec<(String, String)>,
    },
    /// An external agent of the course, a Python class.
    Python {
        /// The folder that holds its package, or is its package.
        folder: PathBuf,
        /// The package, if it was named.
        package: Option<String>,
        /// The class, if it was named.
        class: Option<String>,
    },
    /// An external engine that speaks UGI.
    Ugi {
        /// The program with its arguments.
        command: String,
    },
}

impl AgentSpec {
    /// What is asked for.
    pub fn kind(&self) -> &AgentKind {
        &self.kind
    }

    /// The agent's name; `python` and `ugi` for external ones.
    pub fn name(&self) -> &str {
        match &self.kind {
            AgentKind::Own { name, .. } => name,
            AgentKind::Python { .. } => "python",
            AgentKind::Ugi { .. } => "ugi",
        }
    }

    /// The options of an own agent as they were given; none for external ones.
    pub fn options(&self) -> &[(String, String)] {
        match &self.kind {
            AgentKind::Own { options, .. } => options,
            _ => &[],
        }
    }

    /// The text that was read.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the agent is a program of its own.
    pub fn is_external(&self) -> bool {
        !matches!(self.kind, AgentKind::Own { .. })
    }

    /// Whether the agent is an external agent of the course, which knows moves but no positions and no scores.
    pub fn is_python(&self) -> bool {
        matches!(self.kind, AgentKind::Python { .. })
    }

    /// The same own agent with other values for some options; an empty value unsets one. External agents have no
    /// options, so they stay as they are.
    ///
    /// # Errors
    /// If a value could not be written in a spec.
    pub fn with<'a>(
        &self,
        chosen: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<AgentSpec, SpecError> {
        let AgentKind::Own { name, options } = &self.kind else { return Ok(self.clone()) };
        let mut options = options.clone();
        for (key, value) in chosen {
            if value.contains(',') {
                return Err(SpecError::new(format!("{key}={value}: expected a value without a comma")));
            }
            options.retain(|(given, _)| given != key);
            if !value.is_empty() {
                options.push((key.to_owned(), value.to_owned()));
            }
        }
        let pairs: Vec<String> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let text = format!("{name}:{}", pairs.join(","));
        Ok(AgentSpec { text, kind: AgentKind::Own { name: name.clone(), options } })
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<AgentSpec, SpecError> {
        let (name, rest) = text.split_once(':').unzip();
        let kind = match (name, rest.unwrap_or_default()) {
            (Some("python"), rest) => read_python(rest)?,
            (Some("ugi"), command) => AgentKind::Ugi { command: command.to_owned() },
            (name, options) => {
                AgentKind::Own { name: name.unwrap_or(text).to_owned(), options: read_pairs(options)? }
            }
        };
        Ok(AgentSpec { text: text.to_owned(), kind })
    }
}

fn read_python(text: &str) -> Result<AgentKind, SpecError> {
    let mut words = text.split(':');
    let folder = words.next().filter(|word| !word.is_empty());
    let package = words.next().filter(|word| !word.is_empty()).map(str::to_owned);
    let class = words.next().map(str::to_owned);
    match (folder, words.next()) {
        (Some(folder), None) => Ok(AgentKind::Python { folder: folder.into(), package, class }),
        _ => Err(SpecError::new("expected python:DIR, python:DIR:package or python:DIR:package:Class")),
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// An agent that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct AgentInfo {
    /// The name, such as `entourage`.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Where it is described, such as `report 000, Our approach`; empty for the general ones.
    pub source: &'static str,
    /// Where it differs from its source or fills a gap in it, each with the reason.
    pub differs: &'static [&'static str],
    /// Its options, each with its default.
    pub options: &'static [OptionInfo],
    /// Checks the game and reads the settings, once for any number of agents.
    pub prepare: Prepare,
}

impl AgentInfo {
    /// Makes one agent from the text of its options.
    ///
    /// # Errors
    /// If an option or the game is wrong.
    pub fn make(&self, pos: &dyn Position, options: &str, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
        let settings = Settings::read(self.options, options)?;
        Ok((self.prepare)(pos, &settings)?(seed))
    }
}

/// Checks that an agent plays the game of a position and reads its settings.
pub type Prepare = fn(&dyn Position, &Settings) -> Result<Factory, SpecError>;

/// Makes agents that differ only in the seed of their randomness. It cannot fail and reads nothing again.
pub type Factory = Box<dyn Fn(u64) -> Box<dyn Agent> + Send + Sync>;

/// A [`Factory`] from a function that makes an agent from a seed.
pub fn factory<A: Agent + 'static>(make: impl Fn(u64) -> A + Send + Sync + 'static) -> Factory {
    Box::new(move |seed| Box::new(make(seed)))
}

/// Checks that a position is of the game that an agent plays.
///
/// # Errors
/// Names both games if they differ.
pub fn expect_game<G: Game>(agent: &str, pos: &dyn Position) -> Result<(), SpecError> {
    if (pos as &dyn Any).is::<G>() {
        return Ok(());
    }
    Err(SpecError::new(format!("{agent} plays {}, not {}", G::NAME, pos.spec())))
}

/// A spec that cannot be used, with what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    message: String,
}

impl SpecError {
    /// An error with a message of one line.
    pub fn new(message: impl Into<String>) -> SpecError {
        SpecError { message: message.into() }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> AgentSpec {
        text.parse().expect("a spec")
    }

    #[test]
    fn a_spec_keeps_its_text() {
        for text in ["", "random", "random:", "mcts:cut=4,scale=3", "python:a/b:c:D", "ugi:./engine --fast"] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn a_spec_is_own_python_or_ugi() {
        let own = read("negamax:depth=4,eval=");
        assert_eq!(own.name(), "negamax");
        assert_eq!(own.options(), [("depth", "4"), ("eval", "")].map(|(k, v)| (k.to_owned(), v.to_owned())));
        assert!(!own.is_external() && !read("python").is_external() && !read("human").is_external());
        let python = AgentKind::Python { folder: "a/b".into(), package: None, class: Some("C".to_owned()) };
        assert_eq!(*read("python:a/b::C").kind(), python);
        assert_eq!(*read("ugi:a:b c").kind(), AgentKind::Ugi { command: "a:b c".to_owned() });
        assert!(read("python:a").is_python() && read("ugi:a").is_external() && !read("ugi:a").is_python());
    }

    #[test]
    fn a_malformed_spec_is_refused() {
        for (text, error) in [
            ("negamax:depth", "expected `key=value`, found \"depth\""),
            ("negamax:depth=1,depth=2", "depth=2: expected depth only once"),
            ("python:", "expected python:DIR, python:DIR:package or python:DIR:package:Class"),
            ("python:a:b:c:d", "expected python:DIR, python:DIR:package or python:DIR:package:Class"),
        ] {
            assert_eq!(text.parse::<AgentSpec>().expect_err(text).to_string(), error);
        }
    }

    #[test]
    fn options_are_replaced_and_unset() {
        let spec = read("negamax:depth=4,eval=tbd").with([("eval", ""), ("table", "1")]).expect("a spec");
        assert_eq!(spec.as_str(), "negamax:depth=4,table=1");
        assert_eq!(read(spec.as_str()), spec);
        let error = read("negamax").with([("eval", "a,b")]).expect_err("a comma");
        assert_eq!(error.to_string(), "eval=a,b: expected a value without a comma");
        assert_eq!(read("ugi:x").with([("eval", "a")]), Ok(read("ugi:x")));
    }
}
