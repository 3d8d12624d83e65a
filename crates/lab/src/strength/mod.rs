//! `lab strength`

mod speed;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::Value;
use yarra_arena::Openings;
use yarra_games::GameSpec;

use crate::interrupt::{self, INTERRUPTED};
use crate::yarra::{Yarra, load, saved_games, target};

/// Measure how strong the champions are, as rows of docs/strength.md.
///
/// Games are kept in target/strength, and the same command continues after Ctrl-C. Report the load with the figures:
/// with a time limit, a busy machine plays different games than a quiet one. The `yarra` program next to `lab` plays
/// the games, so build it first: `cargo build --release`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  lab strength opponents cachex:7 random:1
  lab strength parts cachex:5 openings=off solved=off --games 1600

The soak wants a build with assertions:
  CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS=true CARGO_TARGET_DIR=target/soak cargo build --release
  lab strength soak infexion --yarra target/soak/release/yarra")]
pub struct StrengthArgs {
    /// What to measure.
    #[arg(value_enum)]
    part: Part,
    /// The game: `infexion`, `tetress` or `cachex:N`.
    game: String,
    /// For `opponents`, the openings, such as `random:1`; for `parts`, the options to try, such as `lmr=0`.
    #[arg(value_name = "OPENINGS|OPTION")]
    choices: Vec<String>,
    /// Number of games in parallel; `threads` always plays one.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Number of games per match, instead of the default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// The program that plays, instead of the one next to `lab`.
    #[arg(long, value_name = "PATH")]
    yarra: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// 20 ms per move against the reports' agents, 200 games each, and `random` and `greedy`, 500 games each
    Opponents,
    /// 20 ms per move against the reports' agents with 180 s on the clock, 20 games each
    OwnTime,
    /// The champion against itself with one option changed, 20 ms per move, 400 games each
    Parts,
    /// Fitted against hand-set weights, 20 ms per move, 400 games
    Weights,
    /// Ten times the time: 200 games of 20 ms against 2 ms, 40 games of 200 ms against 20 ms
    Scale,
    /// Two threads against one, 20 ms per move, 200 games; needs a quiet machine
    Threads,
    /// 20 games with 10 s and 4 games with 180 s per player, against a champion with half the table
    Clocks,
    /// 1000 games with 1 s per player, against a champion with half the table
    Soak,
    /// Depth and nodes after 1 s, at the start and during a game of champions; needs a quiet machine
    Speed,
}

/// The opponents in a game.
struct Field {
    name: &'static str,
    /// The reports' agents with a fixed amount of work.
    fixed: &'static [&'static str],
    /// Those that use all their time.
    timed: &'static [&'static str],
    /// The options that switch off the champion's parts. Cachex's opening book and solved boards must be given by name:
    /// `parts cachex:5 openings=off solved=off`.
    without: &'static [&'static str],
}

const FIELDS: [Field; 3] = [
    Field {
        name: "infexion",
        fixed: &["entourage", "entourage-negascout", "entourage-shallow", "entourage-greedy", "raccoons"],
        timed: &["psotip", "entourage-mcts"],
        without: &[
            "quiescence=0",
            "lmr=0",
            "lmp=0",
            "null=off",
            "futility=0",
            "killers=off",
            "history=off",
            "table=0",
        ],
    },
    Field {
        name: "tetress",
        fixed: &["insight-greedy"],
        timed: &["insight", "insight-mcts", "insight-fixed", "insight-hybrid"],
        without: &["width=0", "lmr=0", "killers=off", "table=0"],
    },
    Field {
        name: "cachex",
        fixed: &["tbd", "tbd-greedy"],
        timed: &["tbd-mcts"],
        without: &["quiescence=0", "lmr=0", "lmp=0", "futility=0", "killers=off", "history=off", "table=0"],
    },
];

/// The causes that are a player's failure.
const FAULTS: [&str; 8] = ["illegal_move", "crash", "time", "memory", "silence", "protocol", "exit", "flood"];

pub fn run(args: &StrengthArgs) -> anyhow::Result<ExitCode> {
    let game: GameSpec = args.game.parse()?;
    let Some(field) = FIELDS.iter().find(|field| field.name == game.name()) else {
        bail!("expected infexion, tetress or cachex:N, found `{}`", args.game);
    };
    check_choices(args)?;
    let kept = target().join("strength");
    fs::create_dir_all(&kept).with_context(|| format!("cannot create {}", kept.display()))?;
    // Ctrl-C reaches `yarra` too, which finishes its file; `lab` waits for it.
    let stop = interrupt::flag()?;
    let bench = Bench { args, yarra: Yarra::find(args.yarra.as_deref())?, kept };
    let started = Instant::now();
    // On a 5 × 5 board two random stones usually decide the game; one does not, as it may be stolen.
    let usual: &[&str] =
        if (game.name(), game.size()) == ("cachex", 5) { &["--openings", "random:1"] } else { &[] };
    let played = play(&bench, field, usual);
    if stop.is_raised() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    played?;
    writeln!(io::stdout(), "{:.0} s, load {}", started.elapsed().as_secs_f64(), load())?;
    Ok(ExitCode::SUCCESS)
}

fn check_choices(args: &StrengthArgs) -> anyhow::Result<()> {
    match (args.part, &args.choices[..]) {
        (_, []) => {}
        (Part::Opponents, [openings]) => drop(openings.parse::<Openings>()?),
        (Part::Opponents, [_, more, ..]) => bail!("expected one kind of openings, found `{more}` too"),
        (Part::Parts, options) => {
            if let Some(option) = options.iter().find(|option| !option.contains('=')) {
                bail!("expected an option such as `lmr=0`, found `{option}`");
            }
        }
        (part, [word, ..]) => {
            let part = part.to_possible_value().map_or_else(String::new, |part| part.get_name().to_owned());
            bail!("expected nothing after `{part} {}`, found `{word}`", args.game);
        }
    }
    Ok(())
}

fn play(bench: &Bench<'_>, field: &Field, usual: &[&str]) -> anyhow::Result<()> {
    let choices = &bench.args.choices;
    match bench.args.part {
        Part::Opponents => {
            let chosen = choices.first().map(|choice| ["--openings", choice]);
            let openings = chosen.as_ref().map_or(usual, |chosen| chosen);
            let timed = field.timed.iter().map(|agent| format!("{agent}:movetime=20ms"));
            let fixed = field.fixed.iter().map(|&agent| agent.to_owned());
            for agent in fixed.chain(timed) {
                bench.play(200, "champion:movetime=20ms", &agent, openings)?;
            }
            for agent in ["random", "greedy"] {
                bench.play(500, "champion:movetime=20ms", agent, openings)?;
            }
            Ok(())
        }
        Part::OwnTime => field
            .timed
            .iter()
            .try_for_each(|agent| bench.play(20, "champion:movetime=20ms", agent, &["--clock", "180s"])),
        Part::Parts => {
            let without = field.without.iter().map(|&option| option.to_owned()).collect();
            let options: Vec<String> = if choices.is_empty() { without } else { choices.clone() };
            let limits = [&["--move-time", "20ms"], usual].concat();
            options
                .iter()
                .try_for_each(|option| bench.play(400, "champion", &format!("champion:{option}"), &limits))
        }
        Part::Weights => bench.play(400, "champion", "champion:weights=hand", &["--move-time", "20ms"]),
        Part::Scale => {
            bench.play(200, "champion:movetime=20ms", "champion:movetime=2ms", &[])?;
            bench.play(40, "champion:movetime=200ms", "champion:movetime=20ms", &[])
        }
        Part::Threads => {
            let two = "champion:threads=2,movetime=20ms";
            bench.play(200, two, "champion:movetime=20ms", &["--jobs", "1"])
        }
        Part::Clocks => {
            bench.play(20, "champion", "champion:table=16", &["--clock", "10s"])?;
            bench.play(4, "champion", "champion:table=16", &["--clock", "180s"])
        }
        Part::Soak => bench.play(1000, "champion", "champion:table=16", &["--clock", "1s"]),
        Part::Speed => speed::run(bench),
    }
}

struct Bench<'a> {
    args: &'a StrengthArgs,
    yarra: Yarra,
    /// The folder of saved games.
    kept: PathBuf,
}

impl Bench<'_> {
    /// Plays a match and prints it as a table row, with the games lost by a player's failure.
    fn play(&self, n_games: u32, a: &str, b: &str, options: &[&str]) -> anyhow::Result<()> {
        let (game, n_games) = (&*self.args.game, self.args.games.unwrap_or(n_games).to_string());
        let named = [&[game, &n_games, a, b], options].concat();
        let file = self.kept.join(file_name(&named.join(" ")) + ".jsonl");
        let jobs = self.args.jobs.to_string();
        let mut command = [&[game, a, b, "--games", &n_games, "--seed", "1"], options].concat();
        if !options.contains(&"--jobs") {
            command.extend(["--jobs", &jobs]);
        }
        let result = self.yarra.play(&command, &file)?;
        let mut out = io::stdout().lock();
        writeln!(out, "{}", row(a, b, &result).context("expected the result of a match from yarra")?)?;
        for game in saved_games(&file)? {
            let text = |key: &str| game[key].as_str().unwrap_or("nobody").to_owned();
            let reason = text("reason");
            if FAULTS.contains(&&*reason) {
                let [red, blue, winner] = ["red", "blue", "winner"].map(text);
                writeln!(out, "  lost by {reason}: {red} against {blue}, won by {winner}")?;
            }
        }
        Ok(())
    }
}

fn row(a: &str, b: &str, result: &Value) -> Option<String> {
    let number = |key: &str| result[key].as_f64();
    let [wins, draws, losses] = [number("wins")?, number("draws")?, number("losses")?];
    let share = 100.0 * (wins + draws / 2.0) / number("games")?;
    let [elo, low, high] = [number("elo")?, number("elo_low")?, number("elo_high")?];
    Some(format!(
        "| `{a}` | `{b}` | {wins} | {draws} | {losses} | {share:.1} % | {elo:+.0} ({low:+.0} to {high:+.0}) |"
    ))
}

/// A command as a file name: runs of characters that no spec contains become one `_`.
fn file_name(command: &str) -> String {
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "=,.-".contains(c);
    let mut name = String::new();
    for c in command.chars() {
        if is_kept(c) {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_earlier_matches_are_found_again() {
        let command = "cachex:7 200 champion:movetime=20ms tbd --openings random:1";
        assert_eq!(file_name(command), "cachex_7_200_champion_movetime=20ms_tbd_--openings_random_1");
    }
}
