//! `yarra bench rules`

use std::hint::black_box;
use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;
use yarra_games::perft::{Leaves, perft};
use yarra_games::playout::playouts;
use yarra_games::tetress::{self, Tetress, total_mobility};
use yarra_games::{Game, GameSpec, Position};

use super::clock::{Lap, Rounds};
use super::machine::Machine;
use super::positions::{Task, tasks};

const ALL: [&str; 16] = [
    "infexion",
    "tetress",
    "cachex:3",
    "cachex:5",
    "cachex:7",
    "cachex:9",
    "cachex:11",
    "cachex:13",
    "cachex:15",
    "hex:3",
    "hex:5",
    "hex:7",
    "hex:9",
    "hex:11",
    "hex:13",
    "hex:15",
];
/// The reference board, for comparison with other sizes.
const REFERENCE_SIZE: u8 = 11;
/// The size of the largest trees: a few tenths of a second each.
const MAX_COUNTED: u64 = 1_000_000_000;
const MAX_MADE: u64 = 30_000_000;
/// Random games per batch.
const N_PLAYOUTS: u64 = 64;
/// Random games that provide the positions for Tetress mobility.
const N_MOBILITY_GAMES: u64 = 100;
/// With a smaller share of the CPU, wall-clock time includes other processes.
const FAIR_CPU_SHARE: f64 = 0.98;

/// Time the rules: perft, random games, and Tetress mobility.
///
/// Perft runs at mid-game positions, in bulk (the last moves are counted without being made) and with every leaf made.
/// Random games run from the start to the end. Each figure is the median of the rounds, on one core; the spread is the
/// largest difference between rounds among a line's figures.
#[derive(clap::Args)]
#[command(after_help = "Example: yarra bench rules tetress cachex:9 hex:11")]
pub struct RulesArgs {
    /// The games, for instance `infexion` or `cachex:9`; by default all of them at all odd sizes.
    games: Vec<String>,
    /// Number of rounds.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Minimum seconds per measurement.
    #[arg(long, default_value_t = 0.3, value_parser = read_seconds)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn read_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "expected a number from 0 to 3600".to_owned())
}

pub fn run(args: &RulesArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let games = match args.games.as_slice() {
        [] => ALL.map(str::to_owned).to_vec(),
        games => games.to_vec(),
    };
    let games = games.iter().map(|game| game.parse()).collect::<Result<Vec<GameSpec>, _>>()?;
    let machine = Machine::look();
    let mut all_figures = Vec::new();
    for (idx, game) in games.iter().enumerate() {
        writeln!(io::stderr(), "{game} ({} of {})", idx + 1, games.len())?;
        all_figures.push(measure(*game, args)?);
    }
    let mut warnings = machine.warning().into_iter().collect::<Vec<_>>();
    let cpu_share = cpu_share(&all_figures);
    if cpu_share < FAIR_CPU_SHARE {
        warnings.push(format!("this process had only {:.0} % of its core", 100.0 * cpu_share));
    }
    if args.json {
        let report = json!({
            "machine": machine.json(),
            "rounds": args.rounds,
            "seconds": args.seconds,
            "cpu_share": cpu_share,
            "warnings": warnings,
            "games": all_figures.iter().map(|figures| json(figures, &all_figures)).collect::<Vec<_>>(),
        });
        writeln!(out, "{report}")?;
    } else {
        writeln!(out, "{machine}")?;
        writeln!(out, "median of {} rounds of {} s\n", args.rounds, args.seconds)?;
        write_table(&all_figures, out)?;
        for warning in warnings {
            writeln!(out, "warning: {warning}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The figures of one game.
#[derive(Debug)]
struct Figures {
    game: GameSpec,
    /// Move sequences per second.
    counted: Rounds,
    made: Rounds,
    playouts: Rounds,
    moves: Rounds,
    moves_per_playout: f64,
    /// Seconds for the mobility of both sides, Tetress only.
    mobility: Option<Rounds>,
    /// The total of all rounds.
    total: Lap,
}

impl Figures {
    fn ns_per_move(&self) -> f64 {
        1e9 / self.moves.median()
    }

    /// The time of a move as a multiple of that on the reference board of the same game.
    fn relative_cost(&self, all: &[Figures]) -> Option<f64> {
        let reference_game = GameSpec::new(self.game.info(), REFERENCE_SIZE)?;
        let has_sizes = self.game.info().has_sizes();
        let reference = all.iter().find(|other| other.game == reference_game).filter(|_| has_sizes)?;
        Some(self.ns_per_move() / reference.ns_per_move())
    }

    fn spread(&self) -> f64 {
        let rounds = [&self.counted, &self.made, &self.playouts].into_iter().chain(&self.mobility);
        rounds.map(Rounds::spread).fold(0.0, f64::max)
    }
}

fn measure(game: GameSpec, args: &RulesArgs) -> anyhow::Result<Figures> {
    let first = game.start();
    let (counted_tasks, made_tasks) = (tasks(game, MAX_COUNTED)?, tasks(game, MAX_MADE)?);
    let mobility_positions = if game.name() == Tetress::NAME { tetress_positions() } else { Vec::new() };
    let (mut counted, mut made, mut games, mut mobility) = (vec![], vec![], vec![], vec![]);
    // The measurements are interleaved, so that a slow phase of the machine shows in every spread.
    for _ in 0..args.rounds {
        counted.push(time_perft(&counted_tasks, Leaves::Counted, args.seconds));
        made.push(time_perft(&made_tasks, Leaves::Made, args.seconds));
        games.push(time_playouts(&*first, args.seconds));
        if !mobility_positions.is_empty() {
            mobility.push(time_mobility(&mobility_positions, args.seconds));
        }
    }
    let (playouts, moves) = games.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
    let total = [&counted, &made, &playouts, &mobility].into_iter().flatten().copied().sum::<Lap>();
    let n_done = |laps: &[Lap]| laps.iter().map(|lap| lap.n_done as f64).sum::<f64>();
    let rates = |laps: &[Lap]| Rounds::new(laps.iter().map(|lap| lap.rate()));
    Ok(Figures {
        game,
        counted: rates(&counted),
        made: rates(&made),
        playouts: rates(&playouts),
        moves: rates(&moves),
        moves_per_playout: n_done(&moves) / n_done(&playouts),
        mobility: (!mobility.is_empty()).then(|| Rounds::new(mobility.iter().map(|lap| 1.0 / lap.rate()))),
        total,
    })
}

/// Every position gets the same time, whatever the size of its tree.
fn time_perft(tasks: &[Task], leaves: Leaves, seconds: f64) -> Lap {
    let share = seconds / tasks.len() as f64;
    tasks.iter().map(|task| Lap::run(share, || perft(&task.record, task.depth, leaves))).sum()
}

/// Random games from a position; counts the games and their moves.
fn time_playouts(pos: &dyn Position, seconds: f64) -> (Lap, Lap) {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut n_moves = 0;
    let games = Lap::run(seconds, || {
        n_moves += playouts(pos, N_PLAYOUTS, &mut rng);
        N_PLAYOUTS
    });
    (games, Lap { n_done: n_moves, ..games })
}

fn time_mobility(positions: &[Tetress], seconds: f64) -> Lap {
    Lap::run(seconds, || {
        black_box(total_mobility(positions));
        positions.len() as u64
    })
}

/// All positions of some random games.
fn tetress_positions() -> Vec<Tetress> {
    let mut positions = Vec::new();
    for seed in 0..N_MOBILITY_GAMES {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pos = Tetress::start(tetress::SIZE).expect("its one size");
        while let Some(m) = pos.random_move(&mut rng) {
            positions.push(pos);
            pos.play(m);
        }
    }
    positions
}

fn cpu_share(all: &[Figures]) -> f64 {
    let total = all.iter().map(|figures| figures.total).sum::<Lap>();
    total.cpu.as_secs_f64() / total.wall.as_secs_f64()
}

fn json(figures: &Figures, all: &[Figures]) -> serde_json::Value {
    json!({
        "game": figures.game.to_string(),
        "perft_bulk_per_s": figures.counted.json(),
        "perft_made_per_s": figures.made.json(),
        "playouts_per_s": figures.playouts.json(),
        "moves_per_s": figures.moves.json(),
        "moves_per_playout": figures.moves_per_playout,
        "ns_per_move": figures.ns_per_move(),
        "relative_to_size_11": figures.relative_cost(all),
        "mobility_s": figures.mobility.as_ref().map(Rounds::json),
        "spread": figures.spread(),
    })
}

fn write_table(all: &[Figures], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<10} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:>10} {:>7}",
        "game",
        "bulk G/s",
        "made M/s",
        "games k/s",
        "moves M/s",
        "ns/move",
        "to n=11",
        "moves/game",
        "spread"
    )?;
    for figures in all {
        let relative = figures.relative_cost(all).map_or("-".to_owned(), |cost| format!("{cost:.2}"));
        writeln!(
            out,
            "{:<10} {:>10.3} {:>10.1} {:>10.1} {:>10.1} {:>8.1} {relative:>8} {:>10.1} {:>5.1} %",
            figures.game,
            figures.counted.median() / 1e9,
            figures.made.median() / 1e6,
            figures.playouts.median() / 1e3,
            figures.moves.median() / 1e6,
            figures.ns_per_move(),
            figures.moves_per_playout,
            100.0 * figures.spread(),
        )?;
    }
    for figures in all {
        if let Some(mobility) = &figures.mobility {
            let micros = 1e6 * mobility.median();
            writeln!(out, "\n{}: {micros:.4} µs for the full mobility of both sides", figures.game)?;
        }
    }
    Ok(())
}
