//! Bounds that fall with every move of the winner, so that following known boards never goes in circles.

use std::collections::BTreeMap;

use yarra_engine::AgentError;
use yarra_engine::champion::cachex::proven::{number, numbered};

use super::boards::{Board, children};
use super::worker::Worker;
use crate::progress::Progress;

/// No win takes longer: the table has one byte for the plies, and 255 is a draw.
const MOST_PLIES: u8 = 254;

/// An answer to a lost board: the winner is to move.
struct Answer {
    pos: Board,
    /// The lost boards that the winner can move to.
    replies: Vec<u64>,
    /// Whether a short search finds the win, once it has been asked.
    is_easy: Option<bool>,
}

/// The lost boards with bounds from which the winner comes nearer with each of its moves.
///
/// A proof bounds the plies along its own line, but the table may know only boards that are farther away. So the bound
/// of a board is the larger of its own and two more than the worst answer's nearest board, where a short search does not
/// find the win. Boards without such a bound lead in circles and are left out. After Ctrl-C there is no result: searches
/// that are broken off find nothing.
pub fn settle(
    worker: &mut Worker<'_>,
    lost: &BTreeMap<u64, u8>,
) -> Result<Option<BTreeMap<u64, u8>>, AgentError> {
    let answers = |&board: &u64| Some((board, answers(&numbered(board).ok()?, lost)));
    let mut answers: BTreeMap<u64, Vec<Answer>> = lost.keys().filter_map(answers).collect();
    let mut bounds = lost.clone();
    loop {
        let mut has_changed = false;
        let mut progress = Progress::new("boards", answers.len() as u64);
        for (board, answers) in &mut answers {
            progress.step();
            let Some(&bound) = bounds.get(board) else { continue };
            let needed = needed(worker, answers, &bounds, bound)?;
            if worker.known.flow().is_break() {
                break;
            }
            if bound < needed {
                has_changed = true;
                if needed <= MOST_PLIES {
                    bounds.insert(*board, needed)
                } else {
                    bounds.remove(board)
                };
            }
        }
        if worker.known.flow().is_break() {
            return Ok(None);
        }
        if !has_changed {
            return Ok(Some(bounds));
        }
    }
}

/// The answers that leave the winner any known board.
fn answers(pos: &Board, lost: &BTreeMap<u64, u8>) -> Vec<Answer> {
    let answer = |(_, pos): (_, Board)| {
        let replies = children(&pos).map(|(_, reply)| number(&reply));
        Answer { pos, replies: replies.filter(|reply| lost.contains_key(reply)).collect(), is_easy: None }
    };
    children(pos).map(answer).filter(|answer| !answer.replies.is_empty()).collect()
}

/// The bound that a board needs, if its present one is `bound`.
fn needed(
    worker: &mut Worker<'_>,
    answers: &mut [Answer],
    bounds: &BTreeMap<u64, u8>,
    bound: u8,
) -> Result<u8, AgentError> {
    let mut most = bound;
    for answer in answers {
        // All its boards may have been left out.
        let nearest =
            answer.replies.iter().filter_map(|reply| bounds.get(reply)).min().unwrap_or(&MOST_PLIES);
        let needed = nearest.saturating_add(2);
        if needed <= most {
            continue;
        }
        let is_easy = match answer.is_easy {
            Some(is_easy) => is_easy,
            None => worker.is_found_in_all_images(&answer.pos)?,
        };
        answer.is_easy = Some(is_easy);
        most = if is_easy { most } else { needed };
    }
    Ok(most)
}
