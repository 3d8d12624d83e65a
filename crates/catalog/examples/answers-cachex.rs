//! Which answer gives an opponent of Cachex the most to go wrong with, where red has lost if he does not.
//!
//! `cargo run --release -p yarra-catalog --example answers-cachex -- GAME MOVES ANSWERS GAMES NODES SEED OPPONENT…`,
//! such as `cachex:5 "0-4 steal" all 20 20000 1 mcts:nodes=2000 deepening:nodes=3000`
//!
//! The champion plays so many games with so many nodes a move against each opponent from all answers of red to some
//! moves, or from some such as `3-3,4-1`, and the points of each are printed, best first.

use std::error::Error;
use std::io::{self, Write};

use yarra_catalog::make;
use yarra_engine::Limits;
use yarra_engine::agent::unwatched;
use yarra_games::{Move, Player, Record, start};
use yarra_guests::Host;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, moves, asked, n_games, nodes, seed, opponents @ ..] = &args[..] else {
        let usage = "expected GAME MOVES ANSWERS GAMES NODES SEED OPPONENT…, as in";
        return Err(format!("{usage} `cachex:5 \"0-4 steal\" all 20 20000 1 mcts:nodes=2000`").into());
    };
    let (n_games, nodes, seed): (u64, u64, u64) = (n_games.parse()?, nodes.parse()?, seed.parse()?);
    let record = Record::read(game, None, moves.split_whitespace())?;
    let mut answers = Vec::new();
    let is_asked =
        |m: &Move| asked == "all" || asked.split(',').any(|text| text == record.now().show_move(*m));
    for answer in record.legal_moves().into_iter().filter(is_asked) {
        let mut points = Vec::new();
        for opponent in opponents {
            let mut sum = 0.0;
            for n in 0..n_games {
                sum += play(&record, answer, opponent, nodes, seed + n)?;
            }
            points.push(sum);
        }
        let sum: f64 = points.iter().sum();
        writeln!(io::stderr(), "{} {sum} {points:?}", record.now().show_move(answer))?;
        answers.push((sum, points, answer));
    }
    answers.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (sum, points, answer) in answers {
        writeln!(io::stdout(), "{moves} {} {sum} {points:?}", record.now().show_move(answer))?;
    }
    Ok(())
}

/// The champion's points in a game that begins with an answer of his.
fn play(record: &Record, answer: Move, opponent: &str, nodes: u64, seed: u64) -> Result<f64, Box<dyn Error>> {
    let mut record = record.clone();
    let start = start(&record.now().spec())?;
    record.play(answer);
    let (mut champion, _) =
        make(&format!("champion:table=4,nodes={nodes}").parse()?, &*start, seed, &Host::default())?;
    let (mut other, limits) = make(&opponent.parse()?, &*start, seed, &Host::default())?;
    let own_limits = Limits { nodes: Some(nodes), ..Limits::default() };
    while record.outcome().is_none() {
        let choice = match record.now().turn() {
            Player::Red => champion.choose(&record, own_limits, &mut unwatched)?,
            Player::Blue => other.choose(&record, limits, &mut unwatched)?,
        };
        record.play(choice.mv);
    }
    Ok(match record.outcome().and_then(|outcome| outcome.winner) {
        Some(Player::Red) => 1.0,
        Some(Player::Blue) => 0.0,
        None => 0.5,
    })
}
