//! Lines from a person: edited on a terminal, with a history and completion, or read from a pipe.

use std::io::{self, BufRead, IsTerminal, Write};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// Where lines come from.
pub enum Input {
    /// A person at a terminal. The history is that of this session.
    Terminal(Box<Editor<Words, MemHistory>>),
    /// A pipe or a file.
    Pipe,
}

/// What came from the input.
pub enum Line {
    /// A line without its end.
    Text(String),
    /// The input ended: Ctrl-D.
    End,
    /// Ctrl-C at a terminal that is being edited.
    Interrupt,
}

impl Input {
    /// The standard input. Lines are edited if it and the standard output are terminals.
    pub fn new() -> anyhow::Result<Input> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Input::Pipe);
        }
        let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Words::default()));
        Ok(Input::Terminal(Box::new(editor)))
    }

    /// Prompts for a line. Tab completes the words.
    pub fn read(
        &mut self,
        prompt: &str,
        words: impl FnOnce() -> Vec<String>,
        out: &mut impl Write,
    ) -> anyhow::Result<Line> {
        let Input::Terminal(editor) = self else { return read_piped(prompt, out) };
        out.flush()?;
        if let Some(helper) = editor.helper_mut() {
            helper.0 = words();
        }
        match editor.readline(prompt) {
            Ok(line) => Ok(Line::Text(line)),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupt),
            Err(error) => Err(error.into()),
        }
    }
}

fn read_piped(prompt: &str, out: &mut impl Write) -> anyhow::Result<Line> {
    write!(out, "{prompt}")?;
    out.flush()?;
    let mut line = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
        writeln!(out)?;
        return Ok(Line::End);
    }
    Ok(Line::Text(String::from_utf8_lossy(&line).into_owned()))
}

/// The words that Tab completes at the beginning of a line.
#[derive(Default)]
pub struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line[..end].to_lowercase();
        Ok((0, self.0.iter().filter(|word| word.starts_with(&begun)).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
