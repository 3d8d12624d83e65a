//! A review as data, for text, files and pages.

use serde::Serialize;
use yarra_engine::Score;
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Move, Player, Record};

use super::{Conclusion, Finding, Judgment, MoveLoss, accuracy, mover, reasons};

/// A game with each of its moves judged. Chances are from 0 to 1, a draw being half a win.
#[derive(Clone, Debug)]
pub struct Review {
    /// The game.
    pub record: Record,
    /// The agent that searched the positions, as a spec.
    pub analyst: String,
    /// The limits of each search, as in a spec.
    pub limits: String,
    /// Whether all positions were examined; if not, the first ones were not.
    pub is_complete: bool,
    /// How many positions were examined, from the last one on.
    pub n_examined: usize,
    /// How the game ended.
    pub conclusion: Conclusion,
    /// The number of the move with which the winner got ahead for good; `None` if it always was, for a draw, and if the
    /// review did not get that far.
    pub turning_point: Option<u16>,
    /// The summary of each player.
    pub players: ByPlayer<Summary>,
    /// Red's chance in each position from the start; `None` where it is unknown.
    pub red_chances: Vec<Option<f64>>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
}

impl Review {
    /// The notation of a move.
    pub fn show(&self, m: Move) -> String {
        self.record.now().show_move(m)
    }
}

/// A move and its judgment, from the view of its player.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// Its number in the game, from 1.
    pub number: u16,
    /// Who made it.
    pub player: Player,
    /// The move.
    pub mv: Move,
    /// Whether it belongs to the match's opening, which no player chose.
    pub is_opening: bool,
    /// Whether it was the only legal move.
    pub is_forced: bool,
    /// How good it was; `None` for openings and moves that were not reviewed.
    pub judgment: Option<Judgment>,
    /// The chance that it lost.
    pub loss: Option<f64>,
    /// The chance with the best move.
    pub chance_before: Option<f64>,
    /// The chance with this move.
    pub chance_after: Option<f64>,
    /// The score of the best move.
    pub score_before: Option<Score>,
    /// The score of this move.
    pub score_after: Option<Score>,
    /// The best play instead, if the move was an inaccuracy, a mistake or a blunder.
    pub better: Vec<Move>,
    /// The best play after the move, if it was one of these.
    pub answer: Vec<Move>,
    /// What it gave away, in words, if it was one of these.
    pub why: Option<String>,
    /// The time it took in seconds, if it was measured.
    pub seconds: Option<f64>,
}

/// The summary of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The player's name, if the file contains it.
    pub name: Option<String>,
    /// The number of moves, without those of the opening.
    pub n_moves: usize,
    /// The number of judged moves.
    pub n_judged: usize,
    /// The mean accuracy of its moves in percent; `None` if none was judged.
    pub accuracy: Option<f64>,
    /// The mean chance that its moves lost.
    pub average_loss: Option<f64>,
    /// The number of moves by judgment.
    pub counts: JudgmentCounts,
    /// The times of its moves, if they were measured.
    pub time: Option<TimeUse>,
}

/// The number of moves by judgment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct JudgmentCounts {
    pub best: usize,
    pub good: usize,
    pub inaccuracy: usize,
    pub mistake: usize,
    pub blunder: usize,
}

impl JudgmentCounts {
    /// The number of moves with a judgment.
    pub fn of(&self, judgment: Judgment) -> usize {
        match judgment {
            Judgment::Best => self.best,
            Judgment::Good => self.good,
            Judgment::Inaccuracy => self.inaccuracy,
            Judgment::Mistake => self.mistake,
            Judgment::Blunder => self.blunder,
        }
    }
}

/// The times of a player's moves, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeUse {
    /// The total.
    pub total: f64,
    /// The mean.
    pub mean: f64,
    /// The longest.
    pub longest: f64,
    /// The number of the longest move.
    pub longest_move: u16,
}

/// All that is known about a game when its review is written.
pub struct Notes<'a> {
    pub saved: &'a SavedGame,
    pub record: &'a Record,
    pub analyst: String,
    pub limits: String,
    /// What is known about each position.
    pub findings: Vec<Finding>,
    pub losses: Vec<Option<MoveLoss>>,
    /// The number of moves in the opening.
    pub n_opening: usize,
    /// How many positions were examined, from the last one on.
    pub n_examined: usize,
}

impl Notes<'_> {
    pub fn review(self) -> Review {
        let Notes { saved, record, .. } = self;
        let mut conclusion = Conclusion::of(saved, record);
        let first_ply = record.start().ply();
        let red_chance = |(idx, finding): (usize, &Finding)| match mover(record, idx) {
            Player::Red => finding.chance,
            Player::Blue => finding.chance.map(|chance| 1.0 - chance),
        };
        let red_chances: Vec<Option<f64>> = self.findings.iter().enumerate().map(red_chance).collect();
        if let Some(Some(chance)) = red_chances.last().filter(|_| conclusion.is_off_the_board()) {
            conclusion.sentence += &format!(" On the board red had a chance of {:.0} %.", 100.0 * chance);
        }
        let moves = self.moves();
        let turning_point = turning_point(&red_chances, conclusion.winner());
        Review {
            is_complete: self.n_examined == self.findings.len(),
            n_examined: self.n_examined,
            turning_point: turning_point.map(|idx| first_ply + idx as u16 + 1),
            players: ByPlayer::from_fn(|player| summary(saved.players[player].clone(), player, &moves)),
            record: record.clone(),
            analyst: self.analyst,
            limits: self.limits,
            conclusion,
            red_chances,
            moves,
        }
    }

    fn moves(&self) -> Vec<ReviewedMove> {
        let mut game = Record::new(self.record.start().boxed());
        let mut moves = Vec::new();
        for (idx, &m) in self.record.moves().iter().enumerate() {
            moves.push(self.reviewed(&game, idx, m));
            game.play(m);
        }
        moves
    }

    fn reviewed(&self, game: &Record, idx: usize, m: Move) -> ReviewedMove {
        let pos = game.now();
        let lost = self.losses[idx];
        let judgment = lost.map(|lost| Judgment::of_loss(lost.loss));
        let (best, played) = (&self.findings[idx], self.findings[idx + 1].seen_from_before(m));
        let is_error = judgment.is_some_and(Judgment::is_error);
        let shown = |line: &[Move]| if is_error { line.to_vec() } else { Vec::new() };
        ReviewedMove {
            number: pos.ply() + 1,
            player: pos.turn(),
            mv: m,
            is_opening: idx < self.n_opening,
            is_forced: lost.is_some_and(|lost| lost.is_forced),
            judgment,
            loss: lost.map(|lost| lost.loss),
            chance_before: best.chance,
            chance_after: played.chance,
            score_before: best.score,
            score_after: played.score,
            better: shown(&best.line),
            answer: shown(&played.line[1..]),
            why: is_error.then(|| reasons::why(game, best, &played)),
            seconds: self.seconds(idx),
        }
    }

    /// No player chose the moves of the opening, so they took no time.
    fn seconds(&self, idx: usize) -> Option<f64> {
        self.saved.times.get(idx).copied().filter(|_| self.n_opening <= idx)
    }
}

/// The move after which the winner's chance was never again below one half, if it had been.
fn turning_point(red_chances: &[Option<f64>], winner: Option<Player>) -> Option<usize> {
    let winner = winner?;
    let is_behind = |chance: &f64| if winner == Player::Red { *chance < 0.5 } else { 0.5 < *chance };
    let last = red_chances.iter().rposition(|chance| chance.as_ref().is_some_and(is_behind))?;
    // A winner that was behind to the end did not win on the board.
    (last + 1 < red_chances.len()).then_some(last)
}

fn summary(name: Option<String>, player: Player, moves: &[ReviewedMove]) -> Summary {
    let own: Vec<&ReviewedMove> = moves.iter().filter(|m| m.player == player).collect();
    let losses: Vec<f64> = own.iter().filter_map(|m| m.loss).collect();
    let mean = |sum: f64| (!losses.is_empty()).then(|| sum / losses.len() as f64);
    let count = |judgment| own.iter().filter(|m| m.judgment == Some(judgment)).count();
    Summary {
        name,
        n_moves: own.iter().filter(|m| !m.is_opening).count(),
        n_judged: losses.len(),
        accuracy: mean(losses.iter().map(|&loss| 100.0 * accuracy(loss)).sum()),
        average_loss: mean(losses.iter().sum()),
        counts: JudgmentCounts {
            best: count(Judgment::Best),
            good: count(Judgment::Good),
            inaccuracy: count(Judgment::Inaccuracy),
            mistake: count(Judgment::Mistake),
            blunder: count(Judgment::Blunder),
        },
        time: time_use(&own),
    }
}

fn time_use(moves: &[&ReviewedMove]) -> Option<TimeUse> {
    let times: Vec<(f64, u16)> = moves.iter().filter_map(|m| Some((m.seconds?, m.number))).collect();
    let &(longest, longest_move) = times.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let total: f64 = times.iter().map(|(seconds, _)| seconds).sum();
    Some(TimeUse { total, mean: total / times.len() as f64, longest, longest_move })
}
