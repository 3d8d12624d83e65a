//! `yarra bench search`

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::json;
use yarra_catalog::{Host, agents, prepare};
use yarra_engine::agent::unwatched;
use yarra_engine::{AgentInfo, Choice, Limits};
use yarra_games::{Record, find, start};

/// Each type of board once.
const GAMES: [&str; 7] = ["infexion", "tetress", "cachex:5", "cachex:9", "cachex:13", "hex:5", "hex:11"];
/// The champion as in version 0.1: what learning adds is measured against it.
const OLD_CHAMPION: &str = "champion:weights=0.1";
/// Agents whose values are floats: the last bits depend on the CPU.
const FLOATING: [&str; 2] = ["zero", "raccoons-zero"];
/// The number of positions per game, from its start to its end.
const N_POSITIONS: usize = 4;
/// The limits of an agent's two moves in each position: one that usually finishes, and a deeper one that the node limit
/// stops where there are many moves.
const BY_DEPTH: [Limits; 2] = [limits(Some(2), 20_000), limits(Some(3), 5_000)];
const BY_PLAYOUTS: [Limits; 2] = [limits(None, 150), limits(None, 100)];

/// The file of the signature, relative to the root of the repository.
const FILE: &str = "data/signatures/search.txt";
const EXPECTED: &str = include_str!("../../../../../data/signatures/search.txt");

const fn limits(depth: Option<u32>, nodes: u64) -> Limits {
    Limits { depth, nodes: Some(nodes), move_time: None, clock: None }
}

/// Count the nodes of every search in fixed positions, to check whether a change affects play.
///
/// Every agent makes some moves in seeded positions of every game, with a fixed depth and number of nodes or playouts.
/// Nothing depends on time, threads or the machine. The counts and a checksum of the principal variations are compared
/// with those built into this program; if they differ, the exit code is 1.
#[derive(clap::Args)]
#[command(after_help = "Example: yarra bench search")]
pub struct SearchArgs {
    /// Write the signature to data/signatures/search.txt in this folder instead of comparing.
    #[arg(long)]
    update: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &SearchArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    if args.update && !Path::new(FILE).exists() {
        bail!("cannot find {FILE}; run this at the root of the repository");
    }
    let found = GAMES.iter().map(|game| trails(game)).collect::<anyhow::Result<Vec<_>>>()?.concat();
    let signature = signature(&found);
    let differences = if args.update { Vec::new() } else { differences(EXPECTED, &found) };
    if args.json {
        let searches: Vec<_> = found.iter().map(Trail::json).collect();
        let report = json!({ "searches": searches, "signature": signature, "differences": differences });
        writeln!(out, "{report}")?;
    } else {
        write!(out, "{}", file(&found))?;
        for difference in &differences {
            writeln!(out, "changed: {difference}")?;
        }
        if !differences.is_empty() {
            writeln!(
                out,
                "if this is intended, run `yarra bench search --update` at the root of the repository"
            )?;
        }
    }
    if args.update {
        fs::write(FILE, file(&found)).with_context(|| FILE.to_owned())?;
    }
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The trace of one search in one game.
#[derive(Clone, Debug)]
struct Trail {
    game: &'static str,
    agent: &'static str,
    nodes: u64,
    /// The checksum of all its principal variations.
    checksum: u32,
}

impl Trail {
    fn line(&self) -> String {
        let Trail { game, agent, nodes, checksum } = self;
        format!("{game:<10} {agent:<20} {nodes:>8} {checksum:08x}")
    }

    fn json(&self) -> serde_json::Value {
        json!({ "game": self.game, "agent": self.agent, "nodes": self.nodes, "checksum": self.checksum })
    }

    fn add(&mut self, choice: &Choice) {
        self.nodes += choice.stats.nodes;
        for m in &choice.line {
            self.checksum = mix(self.checksum, &m.0.to_le_bytes());
        }
        // Separates the lines.
        self.checksum = mix(self.checksum, &[choice.line.len() as u8]);
    }
}

fn trails(game: &'static str) -> anyhow::Result<Vec<Trail>> {
    let positions = positions(game)?;
    let info = find(game)?.0;
    let is_exact = |info: &&AgentInfo| !FLOATING.contains(&info.name);
    let agents = || agents(info).filter(is_exact).map(|info| (info.name, info));
    let old = agents().filter(|(name, _)| *name == "champion").map(|(_, info)| (OLD_CHAMPION, info));
    agents().chain(old).map(|(spec, info)| trail(game, spec, info, &positions)).collect()
}

fn trail(
    game: &'static str,
    spec: &'static str,
    info: &'static AgentInfo,
    positions: &[Record],
) -> anyhow::Result<Trail> {
    let is_by_playouts = info.options.iter().any(|option| option.name == "playouts");
    let both_limits = if is_by_playouts { BY_PLAYOUTS } else { BY_DEPTH };
    let mut trail = Trail { game, agent: spec, nodes: 0, checksum: EMPTY };
    let prepared = prepare(&spec.parse()?, positions[0].now(), &Host::default())?;
    let mut agent = (prepared.make)(1)?;
    for record in positions {
        let mut record = record.clone();
        agent.begin(record.now().turn(), &record, both_limits[0])?;
        // A second move covers the state that the agent keeps between moves.
        for limits in both_limits {
            let choice = agent.choose(&record, limits, &mut unwatched)?;
            trail.add(&choice);
            let mut is_over = false;
            for m in [Some(choice.mv), choice.line.get(1).copied()] {
                let legal = record.legal_moves();
                let Some(m) = m.filter(|m| legal.contains(m)).or(legal.first().copied()) else {
                    is_over = true;
                    break;
                };
                record.play(m);
                agent.played(&record, &m.into())?;
            }
            if is_over || record.outcome().is_some() {
                break;
            }
        }
        agent.end(&record);
    }
    Ok(trail)
}

/// Positions at equal distances in random games, none of them over.
fn positions(game: &str) -> anyhow::Result<Vec<Record>> {
    let start = Record::new(start(game)?);
    let position = |idx: usize| {
        let mut rng = fastrand::Rng::with_seed(idx as u64);
        let mut record = start.clone();
        while let Some(&m) = rng.choice(&record.legal_moves()) {
            record.play(m);
        }
        let n_plies = record.moves().len() * (2 * idx + 1) / (2 * N_POSITIONS);
        while n_plies < record.moves().len() {
            record.undo();
        }
        record
    };
    Ok((0..N_POSITIONS).map(position).collect())
}

/// The text of the file: one line per search, and one number for all.
fn file(found: &[Trail]) -> String {
    let mut text = format!("{:<10} {:<20} {:>8} {}\n", "game", "agent", "nodes", "checksum");
    for trail in found {
        text.push_str(&trail.line());
        text.push('\n');
    }
    format!("{text}signature {}\n", signature(found))
}

fn signature(found: &[Trail]) -> String {
    let sum = found.iter().fold(EMPTY, |sum, trail| mix(sum, trail.line().as_bytes()));
    format!("{sum:08x}")
}

/// The differences, one message per search.
fn differences(expected: &str, found: &[Trail]) -> Vec<String> {
    let is_search = |line: &&str| !line.starts_with("game ") && !line.starts_with("signature ");
    let name = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let result = |line: &str| line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    let expected: Vec<&str> = expected.lines().filter(is_search).collect();
    let mut differences = Vec::new();
    for line in found.iter().map(Trail::line) {
        match expected.iter().find(|old| name(old) == name(&line)) {
            None => differences.push(format!("{} is new", name(&line))),
            Some(old) if result(old) != result(&line) => {
                differences.push(format!(
                    "{}: expected {}, found {}",
                    name(&line),
                    result(old),
                    result(&line)
                ));
            }
            Some(_) => {}
        }
    }
    let is_gone = |old: &&&str| found.iter().all(|trail| name(&trail.line()) != name(old));
    differences.extend(expected.iter().filter(is_gone).map(|old| format!("{} is gone", name(old))));
    differences
}

/// The initial checksum. It is 32-bit FNV-1a, which is short and portable.
const EMPTY: u32 = 0x811c_9dc5;

fn mix(sum: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_the_search_and_the_game() {
        let trail = |agent, nodes| Trail { game: "hex:5", agent, nodes, checksum: EMPTY };
        let old = [trail("negamax", 5), trail("minimax", 7), trail("mcts", 9)];
        let text = file(&old);
        assert_eq!(differences(&text, &old), Vec::<String>::new());
        let new = [trail("negamax", 6), trail("mcts", 9), trail("pvs", 1)];
        assert_eq!(
            differences(&text, &new),
            [
                "hex:5 negamax: expected 5 811c9dc5, found 6 811c9dc5",
                "hex:5 pvs is new",
                "hex:5 minimax is gone"
            ]
        );
    }
}
