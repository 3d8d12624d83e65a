//! `lab answers`

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use yarra_engine::AgentError;
use yarra_engine::agent::unwatched;
use yarra_games::{Move, Player, Record};
use yarra_learn::selfplay::{play_out, points};

use crate::agents::agent;
use crate::progress::Progress;

/// Find the best practical chance in a lost position of red: the reply against which opponents fail most often.
///
/// After each reply to the given moves, the champion plays red against each opponent. The points of each reply are
/// printed, best first.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  lab answers cachex:5 \"0-4 steal\" all 20 20000 1 mcts:nodes=2000 deepening:nodes=3000"
)]
pub struct AnswersArgs {
    /// The game, such as `cachex:5`.
    game: String,
    /// The moves so far, such as `0-4 steal`.
    moves: String,
    /// The replies to try: `all`, or some such as `3-3,4-1`.
    answers: String,
    /// Games per reply and opponent.
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The champion's nodes per move.
    nodes: u64,
    /// The seed of the first game; each game adds one.
    seed: u64,
    /// The opponents with their limits, such as `mcts:nodes=2000`.
    #[arg(value_name = "OPPONENT", required = true)]
    opponents: Vec<String>,
}

pub fn run(args: &AnswersArgs) -> anyhow::Result<ExitCode> {
    let record = Record::read(&args.game, None, args.moves.split_whitespace())?;
    ensure!(record.now().turn() == Player::Red, "expected moves after which red is to move");
    let asked = answers(&record, &args.answers)?;
    for opponent in &args.opponents {
        agent(opponent, record.start(), args.seed)?;
    }
    let mut progress = Progress::new("games", asked.len() as u64 * args.opponents.len() as u64 * args.games);
    let mut found = Vec::new();
    for answer in asked {
        let mut points = Vec::new();
        for opponent in &args.opponents {
            let mut sum = 0.0;
            for n in 0..args.games {
                sum += play(&record, answer, opponent, args.nodes, args.seed + n)?;
                progress.step();
            }
            points.push(sum);
        }
        let sum: f64 = points.iter().sum();
        writeln!(io::stderr(), "{} {sum} {points:?}", record.now().show_move(answer))?;
        found.push((sum, points, answer));
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (sum, points, answer) in found {
        writeln!(io::stdout(), "{} {} {sum} {points:?}", args.moves, record.now().show_move(answer))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn answers(record: &Record, asked: &str) -> anyhow::Result<Vec<Move>> {
    if asked == "all" {
        return Ok(record.legal_moves());
    }
    let answers = asked.split(',').map(|text| record.read_move(text)).collect::<Result<Vec<Move>, _>>();
    let mut answers = answers.context("expected `all` or some legal moves such as `3-3,4-1`")?;
    answers.sort_unstable();
    Ok(answers)
}

/// The champion's points in a game that starts with its reply.
fn play(record: &Record, answer: Move, opponent: &str, n_nodes: u64, seed: u64) -> anyhow::Result<f64> {
    let mut game = record.clone();
    let start = game.now().spec().start();
    game.play(answer);
    let (mut champion, limits) = agent(&format!("champion:table=4,nodes={n_nodes}"), &*start, seed)?;
    let (mut other, other_limits) = agent(opponent, &*start, seed)?;
    play_out(&mut game, |game| -> Result<_, AgentError> {
        let choice = match game.now().turn() {
            Player::Red => champion.choose(game, limits, &mut unwatched)?,
            Player::Blue => other.choose(game, other_limits, &mut unwatched)?,
        };
        Ok(choice.mv)
    })?;
    Ok(points(&game, Player::Red))
}
