//! The report of `yarra doctor` on an agent.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};
use yarra_draw::{Style, draw};
use yarra_engine::{AgentSpec, Failure};
use yarra_files::SavedGame;
use yarra_games::{GameSpec, Player};
use yarra_guests::Allowance;
use yarra_guests::doctor::{Check, Evidence, Report, Status};

use crate::words::{caption, plural, printable, quoted};

/// The agent under examination.
pub struct Patient<'a> {
    /// The game's spec.
    pub game: GameSpec,
    /// The agent's spec.
    pub agent: &'a AgentSpec,
    /// The seed of the games and positions.
    pub seed: u64,
    /// Command-line options that change how agents run, other than their limits.
    pub options: &'a [String],
}

/// The number of lines shown of an agent's output.
const N_LINES: usize = 10;

impl Patient<'_> {
    /// The report as one object.
    pub fn json(&self, report: &Report) -> Value {
        let checks: Vec<Value> = report.checks.iter().map(|check| self.check_json(check)).collect();
        json!({
            "game": self.game.to_string(),
            "agent": self.agent.to_string(),
            "seed": self.seed,
            "ready": report.is_ready(),
            "failed": report.count(Status::Failed),
            "warnings": report.count(Status::Warning),
            "cut_short": report.cut_short,
            "checks": checks,
        })
    }

    fn check_json(&self, check: &Check) -> Value {
        let evidence = check.evidence.as_ref().map(|evidence| {
            json!({
                "player": evidence.player.name(),
                "failure": evidence.failure.to_string(),
                "fault": evidence.fault,
                "game": line_of(evidence),
                "replay": self.replay(evidence),
            })
        });
        json!({
            "group": check.group.to_string(),
            "name": check.name,
            "status": check.status.to_string(),
            "found": check.found,
            "mend": check.fix,
            "evidence": evidence,
        })
    }

    /// The report as text.
    pub fn text(&self, report: &Report, style: Style) -> String {
        let mut text = String::new();
        let mut group = None;
        let mut shown: Vec<(&str, String)> = Vec::new();
        for check in &report.checks {
            if group != Some(check.group) {
                let _ = writeln!(text, "{}{}", if group.is_some() { "\n" } else { "" }, check.group);
                group = Some(check.group);
            }
            let (status, found) = (check.status.to_string(), printable(&check.found));
            let _ = writeln!(text, "  {status:<8} {}: {found}", check.name);
            let Some(fix) = &check.fix else { continue };
            let _ = writeln!(text, "           fix: {fix}");
            let Some(evidence) = &check.evidence else { continue };
            // The same exception is shown only once.
            let key = kind_of(evidence);
            match shown.iter().find(|(_, shown)| *shown == key) {
                Some((name, _)) => {
                    let _ = writeln!(text, "           as in `{name}` above");
                }
                None => {
                    text.push_str(&self.evidence(evidence, report, style));
                    shown.push((&check.name, key));
                }
            }
        }
        text.push_str(&verdict(report));
        text
    }

    fn evidence(&self, evidence: &Evidence, report: &Report, style: Style) -> String {
        let mut text = String::new();
        let mut part = |name: &str, body: &str| {
            let _ = writeln!(text, "           {name}:");
            for line in body.lines() {
                let _ = writeln!(text, "             {line}");
            }
        };
        if let Ok(record) = evidence.game.record()
            && !evidence.game.moves.is_empty()
        {
            let board = draw(record.now(), None, style);
            part("position", &format!("{board}{}", caption(record.now(), None)));
        }
        let printed = |text: &str| text.lines().map(printable).collect::<Vec<_>>();
        if let Some(said) = &evidence.fault.said {
            part("it returned", &printable(said));
        }
        part("what happened", &printed(&evidence.fault.message).join("\n"));
        let output = printed(&evidence.fault.output);
        if !output.is_empty() {
            part("its last output", &output[output.len().saturating_sub(N_LINES)..].join("\n"));
        }
        let hint =
            if report.is_unsteady { " (its moves vary, so that it may take several tries)" } else { "" };
        part(&format!("to reproduce{hint}"), &self.replay(evidence));
        text
    }

    /// The command that reproduces a failure.
    fn replay(&self, evidence: &Evidence) -> String {
        let (game, agent, seed) = (self.game.to_string(), self.agent.as_str(), self.seed.to_string());
        let words = |text: &[&str]| text.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let options: String = self.limits(evidence).iter().map(|word| format!(" {}", quoted(word))).collect();
        if let Some((opponent, round)) = &evidence.round {
            let n_games = round.to_string();
            let command = words(&[
                "yarra",
                "match",
                &game,
                agent,
                opponent.as_str(),
                "--games",
                &n_games,
                "--seed",
                &seed,
            ]);
            return command + &options;
        }
        let player = format!("--{}", evidence.player);
        let command = words(&["yarra", "play", &game, &player, agent, "--seed", &seed]) + &options;
        match moves_before(evidence).is_empty() {
            true => command,
            // A file of its own, because one with a simple name may be the user's.
            false => format!(
                "moves=$(mktemp) && echo '{}' >\"$moves\" && {command} --load \"$moves\"",
                line_of(evidence)
            ),
        }
    }

    /// The options that the agent ran with, except for defaults.
    fn limits(&self, evidence: &Evidence) -> Vec<String> {
        let mut words = self.options.to_vec();
        let (usual, found) = (Allowance::of_course(self.game), evidence.allowance);
        if found.time.is_none() && found.memory.is_none() {
            words.push("--no-limits".to_owned());
        }
        let time = |time: Duration| format!("{}ms", time.as_millis());
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        if let Some(limit) = found.time.filter(|_| found.time != usual.time) {
            add("--time", time(limit));
        }
        if let Some(bytes) = found.memory.filter(|_| found.memory != usual.memory) {
            add("--memory", format!("{}kB", bytes >> 10));
        }
        if found.call != usual.call {
            add("--call-time", time(found.call));
        }
        let is_usual = [usual.game, Allowance::usual_game(found.time)].contains(&found.game);
        if let Some(limit) = found.game.filter(|_| !is_usual) {
            add("--game-time", time(limit));
        }
        words
    }
}

/// The moves after which the agent is asked, as in a saved game.
fn line_of(evidence: &Evidence) -> Value {
    json!({ "game": evidence.game.game.to_string(), "moves": moves_before(evidence) })
}

/// The moves before the failure, without the agent's own last one if it failed when it was told that: it has to make it
/// again.
fn moves_before(evidence: &Evidence) -> &[String] {
    let SavedGame { moves, .. } = &evidence.game;
    let turn = evidence.game.record().map(|record| record.now().turn());
    match (moves.split_last(), turn) {
        (Some((_, before)), Ok(turn)) if evidence.round.is_none() && turn != evidence.player => before,
        _ => moves,
    }
}

/// What failures of the same kind have in common: the line and the type of an exception, or else the message without
/// the color and what was found.
fn kind_of(evidence: &Evidence) -> String {
    let lines: Vec<&str> = evidence.fault.message.trim_end().lines().collect();
    let last = lines.last().copied().unwrap_or_default();
    if let Some(place) = lines.iter().rfind(|line| line.trim_start().starts_with("File \"")) {
        return format!("{place} {}", last.split(':').next().unwrap_or_default());
    }
    let last = last.split(", found").next().unwrap_or_default();
    let without = Player::BOTH.iter().fold(last.to_owned(), |text, player| text.replace(player.name(), ""));
    match evidence.failure {
        Failure::Crash | Failure::IllegalMove => format!("{} {without}", evidence.failure),
        failure => failure.to_string(),
    }
}

fn verdict(report: &Report) -> String {
    let mut text = "\n".to_owned();
    if let Some(why) = &report.cut_short {
        let _ = writeln!(text, "not everything was checked: {why}");
    }
    let n_warnings = report.count(Status::Warning);
    let warnings =
        if n_warnings == 0 { String::new() } else { format!(", {}", plural(n_warnings, "warning")) };
    let n_checks = plural(report.checks.len(), "check");
    match report.count(Status::Failed) {
        0 => {
            let _ = writeln!(text, "ready: {n_checks}{warnings}");
        }
        n_failed => {
            let _ = writeln!(text, "not ready: {n_failed} of {n_checks} failed{warnings}");
        }
    }
    text
}
