//! A review as text.

use std::fmt::Write as _;
use std::io::{self, IsTerminal};

use yarra_arena::review::{Judgment, OffBoard, Review, ReviewedMove, Summary};
use yarra_draw::{Ink, Style, graph};
use yarra_games::{Move, Player};

use crate::words::{plural, printable, printable_lines};

/// Lines are truncated to this many plies.
const LONGEST_LINE: usize = 8;
const WIDTH: usize = 80;
/// The number of lines shown of a fault's message.
const N_LINES: usize = 20;
const ACCURACY: &str =
    "Accuracy: 100 % if no move lost any chance to win; a move that loses 15 % counts half.";

/// The complete review.
pub fn text(review: &Review, style: Style) -> String {
    let ink = match (style.color, io::stdout().is_terminal()) {
        (true, _) => Ink::Color,
        (false, true) => Ink::Blocks,
        (false, false) => Ink::Plain,
    };
    let mut text = heading(review);
    let dotted = if review.is_complete { "" } else { "; dots: not examined" };
    let _ =
        write!(text, "\nred's chance to win, with a mark below each blunder{dotted}\n{}", chart(review, ink));
    let _ = write!(text, "\n{}{ACCURACY}\n", summaries(review));
    if let Some(sentence) = turning_point(review) {
        let _ = write!(text, "\n{sentence}\n");
    }
    let _ = write!(text, "\n{}", all_moves(review));
    text + &errors(review)
}

fn heading(review: &Review) -> String {
    let name = |summary: &Summary| printable(summary.name.as_deref().unwrap_or("unknown"));
    let Review { players, conclusion, .. } = review;
    let mut text = format!(
        "{}: {} (red) against {} (blue), {}\n{}\n",
        review.record.start().spec(),
        name(&players.red),
        name(&players.blue),
        plural(review.moves.len(), "move"),
        printable(&conclusion.sentence)
    );
    if let Some(fault) = &conclusion.fault {
        text.extend(printable_lines(&fault.message, N_LINES).into_iter().map(|line| format!("  {line}\n")));
    }
    let (n_examined, n_positions) = (review.n_examined, review.red_chances.len());
    let which = match review.is_complete {
        true => "each position".to_owned(),
        false => format!("only the last {n_examined} of {n_positions} positions"),
    };
    let _ = writeln!(text, "{} searched {which} ({}).", printable(&review.analyst), review.limits);
    text
}

fn chart(review: &Review, ink: Ink) -> String {
    let is_blunder = |m: &ReviewedMove| m.judgment == Some(Judgment::Blunder);
    // The effect of a move shows in the position after it.
    let marks = (1..).zip(&review.moves).filter(|(_, m)| is_blunder(m)).map(|(idx, _)| (idx, '?'));
    let last = review.moves.last().map_or(String::new(), |m| format!("move {}", m.number));
    graph(&review.red_chances, &marks.collect::<Vec<_>>(), ["start", &last], ink)
}

fn summaries(review: &Review) -> String {
    let both = Player::BOTH.map(|player| &review.players[player]);
    let mut text = String::new();
    let mut row = |title: &str, cells: [String; 2]| {
        let _ = writeln!(text, "{title:<14}{:<32}{}", cells[0], cells[1]);
    };
    row("", Player::BOTH.map(|player| player.to_string()));
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.1} %"));
    row("accuracy", both.map(|summary| format!("{}{}", percent(summary.accuracy), judged_part(summary))));
    for judgment in Judgment::ALL {
        row(several(judgment), both.map(|summary| summary.counts.of(judgment).to_string()));
    }
    row("average loss", both.map(|summary| percent(summary.average_loss.map(|loss| 100.0 * loss))));
    row("costliest", Player::BOTH.map(|player| costliest(review, player)));
    if both.iter().any(|summary| summary.time.is_some()) {
        row(
            "time",
            both.map(|summary| {
                summary.time.map_or("-".to_owned(), |time| {
                    format!("{:.3} s, {:.3} s per move", time.total, time.mean)
                })
            }),
        );
        row(
            "longest",
            both.map(|summary| {
                summary.time.map_or("-".to_owned(), |time| {
                    format!("{:.3} s, move {}", time.longest, time.longest_move)
                })
            }),
        );
    }
    text
}

/// Which moves an accuracy is about, if not all.
fn judged_part(Summary { n_moves, n_judged, .. }: &Summary) -> String {
    let is_part = 0 < *n_judged && n_judged < n_moves;
    if is_part { format!(" ({n_judged} of {n_moves} moves)") } else { String::new() }
}

fn several(judgment: Judgment) -> &'static str {
    match judgment {
        Judgment::Best => "best",
        Judgment::Good => "good",
        Judgment::Inaccuracy => "inaccuracies",
        Judgment::Mistake => "mistakes",
        Judgment::Blunder => "blunders",
    }
}

/// The move with which a player lost the most.
fn costliest(review: &Review, player: Player) -> String {
    let own = review.moves.iter().filter(|m| m.player == player);
    let errors = own.filter(|m| m.judgment.is_some_and(Judgment::is_error));
    let most = errors.max_by(|a, b| a.loss.unwrap_or_default().total_cmp(&b.loss.unwrap_or_default()));
    most.map_or("-".to_owned(), |m| {
        format!("{}. {} (-{:.0} %)", m.number, review.show(m.mv), 100.0 * m.loss.unwrap_or_default())
    })
}

fn turning_point(review: &Review) -> Option<String> {
    let number = review.turning_point?;
    let m = review.moves.iter().find(|m| m.number == number)?;
    let winner = review.conclusion.winner()?;
    let judged = m
        .judgment
        .filter(|judgment| judgment.is_error())
        .map_or(String::new(), |judgment| format!(", {}", with_article(judgment)));
    Some(format!(
        "The game turned with {number}. {} of {}{judged}: from then on {winner} was ahead.",
        review.show(m.mv),
        m.player
    ))
}

fn with_article(judgment: Judgment) -> String {
    let article = if judgment == Judgment::Inaccuracy { "an" } else { "a" };
    format!("{article} {judgment}")
}

/// All moves with their symbols, as many per line as fit.
fn all_moves(review: &Review) -> String {
    let sign = |m: &ReviewedMove| m.judgment.map_or("", Judgment::sign);
    let shown: Vec<String> =
        review.moves.iter().map(|m| format!("{}. {}{}", m.number, review.show(m.mv), sign(m))).collect();
    let column = 2 + shown.iter().map(String::len).max().unwrap_or_default();
    // Both moves of a turn are side by side.
    let n_columns = (WIDTH / column / 2 * 2).max(2);
    let mut text = "moves (?! inaccuracy, ? mistake, ?? blunder)\n".to_owned();
    for row in shown.chunks(n_columns) {
        let row: String = row.iter().map(|m| format!("{m:<column$}")).collect();
        let _ = writeln!(text, "  {}", row.trim_end());
    }
    if let Some(end) = &review.conclusion.off_board {
        let _ = writeln!(text, "  {}", last_act(end));
    }
    let n_unseen = review.moves.iter().filter(|m| m.judgment.is_none() && !m.is_opening).count();
    let n_opening = review.moves.iter().filter(|m| m.is_opening).count();
    if 0 < n_opening {
        let _ = writeln!(text, "{} of the match's random opening", plural(n_opening, "move"));
    }
    if 0 < n_unseen {
        let _ = writeln!(text, "{} not judged", plural(n_unseen, "move"));
    }
    text
}

/// The end of a game that was not decided on the board: `24. red SPAWN(0, 0): illegal move`.
fn last_act(OffBoard { number, player, cause, said, .. }: &OffBoard) -> String {
    let number = number.map_or(String::new(), |number| format!("{number}. "));
    let said = said.as_deref().map_or(String::new(), |said| format!(" {}", printable(said)));
    printable(&format!("{number}{player}{said}: {cause}"))
}

/// Mistakes and blunders with what would have been better.
fn errors(review: &Review) -> String {
    let mut text = String::new();
    for m in &review.moves {
        let Some(judgment) = m.judgment.filter(|&judgment| Judgment::Mistake <= judgment) else { continue };
        let why = m.why.as_deref().unwrap_or_default();
        let mv = review.show(m.mv);
        let _ = writeln!(text, "\n{}. {} {mv}, {}: {why}", m.number, m.player, with_article(judgment));
        let _ = writeln!(text, "    better: {}", line(review, &m.better));
        if !m.answer.is_empty() {
            let _ = writeln!(text, "    answer: {}", line(review, &m.answer));
        }
    }
    match text.is_empty() {
        true if review.is_complete => "\nno mistakes or blunders were found\n".to_owned(),
        true => "\nno mistakes or blunders were found in what was examined\n".to_owned(),
        false => format!("\nmistakes and blunders\n{}", &text[1..]),
    }
}

fn line(review: &Review, moves: &[Move]) -> String {
    let rest = if LONGEST_LINE < moves.len() { " …" } else { "" };
    let shown: Vec<String> = moves.iter().take(LONGEST_LINE).map(|&m| review.show(m)).collect();
    shown.join(" ") + rest
}
