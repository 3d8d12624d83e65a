//! The greedy agent of report 000's team.

use yarra_engine::agent::position_of;
use yarra_engine::simple::each_move;
use yarra_engine::{Agent, AgentError, Budget, Choice, Limits, Score, Watch};
use yarra_games::infexion::Infexion;
use yarra_games::infexion::cells::{FIRST_SPREAD, each};
use yarra_games::{Move, MoveList, Position, Record};

/// Captures as much power as one spread can, or else spawns anywhere. The report does not define its greedy agent; this
/// is what its team's program played.
#[derive(Clone, Debug)]
pub struct Capture {
    rng: fastrand::Rng,
}

impl Capture {
    /// Ties and spawns are chosen at random, by the seed.
    pub fn new(seed: u64) -> Capture {
        Capture { rng: fastrand::Rng::with_seed(seed) }
    }
}

impl Agent for Capture {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Infexion>(game)?;
        let watch = Budget::start(None, None);
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let enemies = pos.cells_of(pos.turn().opponent());
        let captured = |m: Move| if m < FIRST_SPREAD { 0 } else { pos.power_on(pos.reach(m) & enemies) };
        let most = moves.iter().map(|&m| captured(m)).max().expect("the game is not over");
        let candidates: MoveList = match (most, pos.spawns()) {
            // Nothing to capture and no room to spawn: any spread will do.
            (0, 0) => moves.clone(),
            (0, spawns) => each(spawns).map(|cell| Move(cell as u16)).collect(),
            _ => moves.iter().copied().filter(|&m| captured(m) == most).collect(),
        };
        let mut choice = Choice::from(candidates[self.rng.usize(..candidates.len())]);
        choice.score = Some(Score::from_units(most.into()));
        choice.stats = each_move(&choice, 1, moves.len(), &watch);
        Ok(choice)
    }
}
