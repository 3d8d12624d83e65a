//! Agents by name: the text that asks for one, and the entry that describes and makes it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::SpecError;

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

/// Reads `key=value,key=value`.
///
/// # Errors
/// A malformed pair, or a key that is given twice.
pub(crate) fn read_pairs(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for pair in text.split(',').filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            return Err(SpecError::new(format!("expected `key=value`, found {pair:?}")));
        };
        if pairs.iter().any(|(given, _)| given == key) {
            return Err(SpecError::new(format!("{pair}: expected {key} only once")));
        }
        pairs.push((key.to_owned(), value.to_owned()));
    }
    Ok(pairs)
}
