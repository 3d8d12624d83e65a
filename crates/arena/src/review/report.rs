//! A review as data, for text, files and pages.

use serde::Serialize;
use yarra_engine::Score;
use yarra_files::SavedGame;
use yarra_games::{Move, Player, Position, Record};

use super::{Ending, Judgment, Look, Verdict, accuracy, mover, words};

/// A game with each of its moves judged. Chances are from 0 to 1, a draw being half a win.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Review {
    /// The game and its size, such as `cachex:9`.
    pub game: String,
    /// The notation of the start position.
    pub start: String,
    /// Who looked at the game, as a spec.
    pub analyst: String,
    /// What each look was allowed, as in a spec.
    pub limits: String,
    /// Whether all moves were looked at; if not, the first ones were not.
    pub is_complete: bool,
    /// How the game ended.
    pub ending: Ending,
    /// The number of the move with which the winner got ahead for good; nothing if it always was, for a draw, and
    /// if nobody looked that far.
    pub turning_point: Option<u16>,
    /// How each player did.
    pub players: Both<Summary>,
    /// Red's chance in each position from the start on; nothing where nobody looked.
    pub red_chances: Vec<Option<f64>>,
    /// The moves.
    pub moves: Vec<ReviewedMove>,
}

/// Something of each player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Both<T> {
    /// Red's.
    pub red: T,
    /// Blue's.
    pub blue: T,
}

impl<T> Both<T> {
    /// That of one player.
    pub fn of(&self, player: Player) -> &T {
        match player {
            Player::Red => &self.red,
            Player::Blue => &self.blue,
        }
    }
}

/// A move and what is thought of it, in the view of its player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewedMove {
    /// Its number in the game, from 1.
    pub number: u16,
    /// `red` or `blue`.
    pub player: String,
    /// Its notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The notation of the position before it.
    pub position: String,
    /// Whether it belongs to the match's opening, so that no player chose it.
    pub is_opening: bool,
    /// Whether there was no other move.
    pub is_forced: bool,
    /// What it is called; nothing for openings and where nobody looked.
    pub judgment: Option<Judgment>,
    /// The chance that it lost.
    pub loss: Option<f64>,
    /// The chance with the best move.
    pub chance_before: Option<f64>,
    /// The chance with this move.
    pub chance_after: Option<f64>,
    /// What the best move is worth.
    pub score_before: Option<Worth>,
    /// What this move is worth.
    pub score_after: Option<Worth>,
    /// The best play instead, if the move was an inaccuracy, a mistake or a blunder.
    pub better: Vec<String>,
    /// The best play after the move, if it was one of these.
    pub answer: Vec<String>,
    /// What it gave away, in words, if it was one of these.
    pub why: Option<String>,
    /// Seconds that it took, if they were measured.
    pub seconds: Option<f64>,
}

/// A score is either of the analyst's unit or the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The evaluation in its own unit.
    pub units: Option<f64>,
    /// Plies to a forced win, or, negative, to a forced loss.
    pub plies_to_end: Option<i32>,
}

impl From<Score> for Worth {
    fn from(score: Score) -> Worth {
        let plies_to_end = score.plies_to_end();
        Worth { units: plies_to_end.is_none().then(|| score.units()), plies_to_end }
    }
}

/// How a player did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Who played, if the file tells.
    pub name: Option<String>,
    /// How many moves were judged.
    pub n_judged: usize,
    /// The mean accuracy of its moves in percent; nothing if none was judged.
    pub accuracy: Option<f64>,
    /// The mean chance that its moves lost.
    pub average_loss: Option<f64>,
    /// How many moves of each kind.
    pub counts: Counts,
    /// What its moves took, if that was measured.
    pub time: Option<TimeUse>,
}

/// How many moves of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Counts {
    pub best: usize,
    pub good: usize,
    pub inaccuracy: usize,
    pub mistake: usize,
    pub blunder: usize,
}

impl Counts {
    /// How many of one kind.
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

/// What the moves of a player took, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TimeUse {
    /// All of them.
    pub total: f64,
    /// One of them, on average.
    pub mean: f64,
    /// The longest.
    pub longest: f64,
    /// The number of the longest.
    pub longest_move: u16,
}

/// All that is known about a game when its review is written.
pub struct Notes<'a> {
    pub saved: &'a SavedGame,
    pub record: &'a Record,
    /// Its spec and its limits.
    pub analyst: [String; 2],
    /// What is known about each position.
    pub looks: Vec<Look>,
    pub verdicts: Vec<Option<Verdict>>,
    /// How many first moves nobody chose.
    pub n_drawn: usize,
    pub is_complete: bool,
}

impl Notes<'_> {
    pub fn review(self) -> Review {
        let Notes { saved, record, .. } = self;
        let mut ending = Ending::of(saved, record);
        let first_ply = record.start().ply();
        let red_chance = |(idx, look): (usize, &Look)| match mover(record, idx) {
            Player::Red => look.chance,
            Player::Blue => look.chance.map(|chance| 1.0 - chance),
        };
        let red_chances: Vec<Option<f64>> = self.looks.iter().enumerate().map(red_chance).collect();
        if let Some(Some(chance)) = red_chances.last().filter(|_| ending.is_off_the_board()) {
            ending.words += &format!(" On the board red had a chance of {:.0} %.", 100.0 * chance);
        }
        let moves = self.moves();
        let turning_point = turning_point(&red_chances, ending.winner.as_deref());
        let [analyst, limits] = self.analyst.clone();
        Review {
            game: record.start().spec(),
            start: record.start().to_string(),
            analyst,
            limits,
            is_complete: self.is_complete,
            turning_point: turning_point.map(|idx| first_ply + idx as u16 + 1),
            players: Both {
                red: summary(saved.red.clone(), Player::Red, &moves),
                blue: summary(saved.blue.clone(), Player::Blue, &moves),
            },
            ending,
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
        let verdict = self.verdicts[idx];
        let judgment = verdict.map(|verdict| Judgment::of_loss(verdict.loss));
        let (best, played) = (&self.looks[idx], self.looks[idx + 1].seen_from_before(m));
        let is_error = judgment.is_some_and(Judgment::is_error);
        let shown = |line: &[Move]| if is_error { show(pos, line) } else { Vec::new() };
        ReviewedMove {
            number: pos.ply() + 1,
            player: pos.turn().to_string(),
            mv: pos.show_move(m),
            position: pos.to_string(),
            is_opening: idx < self.n_drawn,
            is_forced: verdict.is_some_and(|verdict| verdict.is_forced),
            judgment,
            loss: verdict.map(|verdict| verdict.loss),
            chance_before: best.chance,
            chance_after: played.chance,
            score_before: best.score.map(Worth::from),
            score_after: played.score.map(Worth::from),
            better: shown(&best.line),
            answer: shown(&played.line[1..]),
            why: is_error.then(|| words::why(game, best, &played)),
            seconds: self.seconds(idx),
        }
    }

    /// Nobody thought about the moves of an opening.
    fn seconds(&self, idx: usize) -> Option<f64> {
        self.saved.times.get(idx).copied().filter(|_| self.n_drawn <= idx)
    }
}

fn show(pos: &dyn Position, line: &[Move]) -> Vec<String> {
    line.iter().map(|&m| pos.show_move(m)).collect()
}

/// The move after which the winner's chance was never again below one half, if it had been.
fn turning_point(red_chances: &[Option<f64>], winner: Option<&str>) -> Option<usize> {
    let winner = winner?;
    let is_behind = |chance: &f64| if winner == "red" { *chance < 0.5 } else { 0.5 < *chance };
    let last = red_chances.iter().rposition(|chance| chance.as_ref().is_some_and(is_behind))?;
    // Who is behind to the end has not won on the board.
    (last + 1 < red_chances.len()).then_some(last)
}

fn summary(name: Option<String>, player: Player, moves: &[ReviewedMove]) -> Summary {
    let own: Vec<&ReviewedMove> = moves.iter().filter(|m| m.player == player.name()).collect();
    let losses: Vec<f64> = own.iter().filter_map(|m| m.loss).collect();
    let mean = |sum: f64| (!losses.is_empty()).then(|| sum / losses.len() as f64);
    let count = |judgment| own.iter().filter(|m| m.judgment == Some(judgment)).count();
    Summary {
        name,
        n_judged: losses.len(),
        accuracy: mean(losses.iter().map(|&loss| 100.0 * accuracy(loss)).sum()),
        average_loss: mean(losses.iter().sum()),
        counts: Counts {
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
