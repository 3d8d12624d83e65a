//! `yarra train report`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use fastrand::Rng;
use yarra_draw::{Chart, Curve, Sample, Table, Training, training_page};
use yarra_engine::net::NetFile;
use yarra_files::{Draft, check_is_new};
use yarra_games::{GameSpec, Position, Record};
use yarra_learn::ladder::Rung;
use yarra_learn::run::Logged;
use yarra_learn::{Plan, RecipeInfo, RunDir, recipe};

use super::show;
use crate::words::file_name;

/// Draw how a run has gone: losses, results against named opponents, game lengths, openings, and what the net says about
/// sample positions.
///
/// Works while the run goes on. Without --html, prints the rounds.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  yarra train report runs/zero --html zero.html")]
pub struct ReportArgs {
    /// The directory of a run.
    dir: PathBuf,
    /// Write the report as an HTML page.
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Let --html overwrite a file.
    #[arg(long, requires = "html")]
    force: bool,
    /// Print the rounds as JSON, one object per line.
    #[arg(long, conflicts_with = "html")]
    json: bool,
}

/// The number of sample positions.
const N_SAMPLES: usize = 6;
/// The number of moves shown of each.
const N_MOVES: usize = 5;
/// The number of openings shown.
const N_OPENINGS: usize = 12;

pub fn run(args: &ReportArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let dir = RunDir::open(&args.dir)?;
    let plan = dir.plan()?;
    let log = dir.log()?;
    let Some(path) = &args.html else {
        for line in &log {
            writeln!(out, "{}", if args.json { show::json(line) } else { show::line(line) })?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    if !args.force {
        check_is_new(path, "--force overwrites it")?;
    }
    let info = recipe(&plan.recipe)?;
    let draft = Draft::begin(path)?;
    let net = NetFile::open(&args.dir)?;
    let page = Training {
        title: format!("{} for {}", plan.recipe, plan.game),
        facts: facts(&plan, &log, &args.dir.display().to_string(), info),
        charts: charts(&log),
        results: results(&log),
        openings: openings(&log),
        samples: samples(&plan, info, &net)?,
        remarks: remarks(&log),
    };
    draft.finish(training_page(&page))?;
    writeln!(out, "wrote {}", file_name(path))?;
    Ok(ExitCode::SUCCESS)
}

fn facts(plan: &Plan, log: &[Logged], dir: &str, info: &RecipeInfo) -> Vec<(String, String)> {
    let settings = plan.settings_text();
    let sum = |of: fn(&Logged) -> u64| log.iter().map(of).sum::<u64>();
    let minutes = log.last().map_or(0.0, |line| line.minutes);
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("recipe", format!("{}: {}", info.name, info.about)),
        fact("settings", if settings.is_empty() { "as they are".into() } else { settings }),
        fact("seed", plan.seed.to_string()),
        fact("program", format!("yarra {}", plan.program)),
        fact("rounds", log.len().to_string()),
        fact("minutes", format!("{minutes:.1}")),
        fact("games", sum(|line| line.entry.games).to_string()),
        fact("positions", sum(|line| line.entry.positions).to_string()),
        fact("agent", format!("{}:net={dir}", info.agent)),
    ]
}

fn charts(log: &[Logged]) -> Vec<Chart> {
    let over_time = |title: &str, curves: Vec<Curve>, range| Chart {
        title: title.to_owned(),
        across: "minutes".to_owned(),
        curves,
        range,
    };
    let curve = |name: &str, of: &dyn Fn(&Logged) -> Option<f64>| Curve {
        name: name.to_owned(),
        points: log.iter().filter_map(|line| Some((line.minutes, of(line)?))).collect(),
    };
    // Each figure has its own unit, except for the losses on trained and held-out positions.
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in log.iter().flat_map(|line| &line.entry.figures) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let figure = |name: &str| {
        curve(name, &|line: &Logged| {
            line.entry.figures.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
        })
    };
    let is_loss = |name: &&str| name.contains("loss");
    let mut charts = Vec::new();
    for game in games(log) {
        let rung = |line: &Logged, opponent: &str| -> Option<Rung> {
            let mut rungs = line.entry.ladder.iter();
            rungs.find(|rung| rung.game == game && rung.opponent == opponent).cloned()
        };
        let curves = |of: fn(&Rung) -> f64| -> Vec<Curve> {
            let opponents = opponents(log).into_iter().filter(|(other, _)| *other == game);
            opponents
                .map(|(_, opponent)| {
                    curve(&opponent, &|line: &Logged| rung(line, &opponent).as_ref().map(of))
                })
                .collect()
        };
        let points = curves(|rung| 100.0 * rung.share());
        charts.push(over_time(&format!("{game}: points in % against"), points, Some((0.0, 100.0))));
        charts.push(over_time(&format!("{game}: Elo over"), curves(Rung::elo), None));
    }
    charts.push(over_time(
        "Losses",
        names.iter().copied().filter(|name| is_loss(name)).map(figure).collect(),
        None,
    ));
    let plies = curve("mean", &|line| Some(line.entry.mean_plies).filter(|&plies| 0.0 < plies));
    charts.push(over_time("Plies of a game of self-play", vec![plies], None));
    for name in names.iter().filter(|name| !is_loss(name)) {
        charts.push(over_time(name, vec![figure(name)], None));
    }
    charts
}

/// The games of the ladder, with their sizes.
fn games(log: &[Logged]) -> Vec<String> {
    let mut games: Vec<_> = opponents(log).into_iter().map(|(game, _)| game).collect();
    games.dedup();
    games
}

/// All games and opponents of the ladder, in the order of their first appearance.
fn opponents(log: &[Logged]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for rung in log.iter().flat_map(|line| &line.entry.ladder) {
        let pair = (rung.game.clone(), rung.opponent.clone());
        if !found.contains(&pair) {
            found.push(pair);
        }
    }
    found
}

fn results(log: &[Logged]) -> Table {
    let opponents = opponents(log);
    let names = opponents.iter().map(|(game, opponent)| format!("{opponent} ({game})"));
    let row = |line: &Logged| {
        let score = |pair: &(String, String)| {
            let mut rungs = line.entry.ladder.iter();
            let rung = rungs.find(|rung| (&rung.game, &rung.opponent) == (&pair.0, &pair.1));
            rung.map_or(String::new(), |rung| rung.score.map(|n| n.to_string()).join("-"))
        };
        let first = [line.round.to_string(), format!("{:.1}", line.minutes)];
        first.into_iter().chain(opponents.iter().map(score)).collect()
    };
    Table {
        header: ["round", "minute"].map(str::to_owned).into_iter().chain(names).collect(),
        rows: log.iter().filter(|line| !line.entry.ladder.is_empty()).map(row).collect(),
    }
}

/// The most frequent openings, with their share in the first and in the last third of the run.
fn openings(log: &[Logged]) -> Table {
    let third = log.len().div_ceil(3);
    let count = |lines: &[Logged]| {
        let mut counts = BTreeMap::<String, u64>::new();
        for (opening, n) in lines.iter().flat_map(|line| &line.entry.openings) {
            *counts.entry(opening.clone()).or_default() += n;
        }
        counts
    };
    let [early, late] = [count(&log[..third]), count(&log[log.len() - third..])];
    let share = |counts: &BTreeMap<String, u64>, opening: &str| {
        let n = counts.get(opening).copied().unwrap_or(0);
        format!("{:.1} %", 100.0 * n as f64 / counts.values().sum::<u64>().max(1) as f64)
    };
    let mut names: Vec<_> = late.iter().collect();
    names.sort_by_key(|&(name, &n)| (std::cmp::Reverse(n), name));
    let row = |(name, _): &(&String, &u64)| vec![(*name).clone(), share(&early, name), share(&late, name)];
    Table {
        header: ["opening", "first third of the run", "last third"].map(str::to_owned).to_vec(),
        rows: names.iter().take(N_OPENINGS).map(row).collect(),
    }
}

fn remarks(log: &[Logged]) -> Vec<String> {
    let of = |line: &Logged| {
        let round = line.round;
        line.entry.remarks.iter().map(move |remark| format!("round {round}: {remark}")).collect::<Vec<_>>()
    };
    log.iter().flat_map(of).collect()
}

/// What the net says about the start and about positions of random games, the same for every run of a game.
fn samples(plan: &Plan, info: &RecipeInfo, net: &NetFile) -> anyhow::Result<Vec<Sample>> {
    let game: GameSpec = plan.game.parse().context("the plan's game")?;
    let mut rng = Rng::with_seed(1);
    let mut samples = Vec::new();
    for idx in 0..N_SAMPLES {
        let mut record = Record::new(game.start());
        for _ in 0..6 * idx {
            let moves = record.legal_moves();
            if record.outcome().is_some() || moves.is_empty() {
                break;
            }
            record.play(moves[rng.usize(..moves.len())]);
        }
        if record.outcome().is_none() {
            samples.push(sample(info, net, record.now())?);
        }
    }
    Ok(samples)
}

fn sample(info: &RecipeInfo, net: &NetFile, pos: &dyn Position) -> anyhow::Result<Sample> {
    let view = (info.view)(net, pos)?;
    let mut moves = view.policy;
    moves.sort_by(|a, b| b.1.total_cmp(&a.1));
    moves.truncate(N_MOVES);
    let caption = match pos.ply() {
        0 => "the start".to_owned(),
        ply => format!("after {ply} random moves"),
    };
    Ok(Sample { pos: pos.boxed(), caption, value: view.value, moves })
}
