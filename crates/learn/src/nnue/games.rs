//! Games as they are kept on disk: moves with the scores of the search, from which every position is played again.
//!
//! A game is its size, its result, its number of plies, and for each ply the move and the score in hundredths as two
//! little-endian words: four bytes a position, the same for every game.

use yarra_games::{Move, Player, Position};

/// The score of a move that the search did not choose, or chose at the sight of a forced end.
const NO_SCORE: i16 = i16::MIN;
/// Scores are kept up to this bound.
const MAX_SCORE: i32 = 32_000;

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The size of the board.
    pub size: u8,
    /// The winner, on the board or by adjudication.
    pub winner: Option<Player>,
    /// The moves, each with the search's score for its player where that is an estimate.
    pub moves: Vec<(Move, Option<i16>)>,
}

/// A score in hundredths as it is kept.
pub fn kept_score(score: i32) -> i16 {
    score.clamp(-MAX_SCORE, MAX_SCORE) as i16
}

impl PlayedGame {
    /// The number of positions that have a score.
    pub fn n_scores(&self) -> usize {
        self.moves.iter().filter(|(_, score)| score.is_some()).count()
    }

    /// Calls `visit` with each position that has a score, the score, and the result for the player to move: 1 for a win,
    /// 0.5 for a draw.
    pub fn visit(&self, start: &dyn Position, mut visit: impl FnMut(&dyn Position, i16, f32)) {
        let mut pos = start.boxed();
        for &(m, score) in &self.moves {
            if let Some(score) = score {
                let result = self.winner.map_or(0.5, |winner| if winner == pos.turn() { 1.0 } else { 0.0 });
                visit(&*pos, score, result);
            }
            pos.play(m);
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let winner = match self.winner {
            None => 0,
            Some(Player::Red) => 1,
            Some(Player::Blue) => 2,
        };
        out.extend([self.size, winner]);
        out.extend((self.moves.len() as u16).to_le_bytes());
        for (m, score) in &self.moves {
            out.extend(m.0.to_le_bytes());
            out.extend(score.unwrap_or(NO_SCORE).to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Option<(PlayedGame, &[u8])> {
        let (&[size, winner, low, high], rest) = bytes.split_first_chunk()?;
        let winner = match winner {
            0 => None,
            1 => Some(Player::Red),
            2 => Some(Player::Blue),
            _ => return None,
        };
        let (moves, rest) = rest.split_at_checked(4 * usize::from(u16::from_le_bytes([low, high])))?;
        let ply = |bytes: &[u8]| {
            let score = i16::from_le_bytes([bytes[2], bytes[3]]);
            (Move(u16::from_le_bytes([bytes[0], bytes[1]])), (score != NO_SCORE).then_some(score))
        };
        Some((PlayedGame { size, winner, moves: moves.chunks_exact(4).map(ply).collect() }, rest))
    }
}

/// Games as bytes.
pub fn write_games(games: &[PlayedGame]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write(&mut bytes));
    bytes
}

/// Games from bytes; `None` if the bytes are none.
pub fn read_games(mut bytes: &[u8]) -> Option<Vec<PlayedGame>> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        let (game, rest) = PlayedGame::read(bytes)?;
        games.push(game);
        bytes = rest;
    }
    Some(games)
}
