//! The four games as nets see them.

use std::any::Any;

use yarra_games::cachex::{Bits, Rhombus};
use yarra_games::infexion::{self, Infexion};
use yarra_games::tetress::{self, Tetress};
use yarra_games::{Move, Player, Position};

use super::{NetGame, NetInput};

/// A lead of this much power at the end counts as tanh(1).
const CLEAR_LEAD: f32 = 10.0;

impl NetGame for Infexion {
    /// Codes: own power 1 to 6, the opponent's power + 6. Scalars: the share of the turn limit that is used, the
    /// lead in power, the total power, and whether spawns are barred.
    fn encode(&self, input: &mut NetInput) {
        let [own, other] = self.sides();
        input.size = infexion::SIZE;
        input.cells.clear();
        for cell in 0..usize::from(infexion::SIZE).pow(2) {
            let by_opponent = infexion::MAX_CELL_POWER * (other >> cell & 1) as u8;
            input.cells.push(self.power_at(cell) + by_opponent);
        }
        let (own, other) = (self.power_on(own), self.power_on(other));
        let total = own + other;
        input.scalars = [
            f32::from(self.ply()) / f32::from(self.turn_limit()),
            (own as f32 - other as f32) / 20.0,
            total as f32 / infexion::MAX_TOTAL_POWER as f32,
            f32::from(u8::from(infexion::MAX_TOTAL_POWER <= total)),
        ];
    }

    fn policy_index(&self, m: Move) -> u16 {
        m.0
    }

    fn lead(&self, end: &dyn Position) -> f32 {
        material_lead(self.turn(), end)
    }
}

impl NetGame for Tetress {
    /// Codes: own token 1, the opponent's 2. Scalars: the share of the turn limit that is used, the lead in tokens,
    /// the share of cells that are filled, and whether a piece may lie anywhere.
    fn encode(&self, input: &mut NetInput) {
        let [own, other] = self.sides();
        input.size = tetress::SIZE;
        input.cells.clear();
        let n_cells = u32::from(tetress::SIZE).pow(2);
        let code = |cell: u32| (own >> cell & 1) as u8 + 2 * (other >> cell & 1) as u8;
        input.cells.extend((0..n_cells).map(code));
        let (own, other) = (own.count_ones(), other.count_ones());
        input.scalars = [
            f32::from(self.ply()) / f32::from(tetress::TURN_LIMIT),
            (own as f32 - other as f32) / 20.0,
            (own + other) as f32 / n_cells as f32,
            f32::from(u8::from(self.ply() < tetress::N_FREE_PLIES)),
        ];
    }

    fn policy_index(&self, m: Move) -> u16 {
        m.0
    }

    /// Tokens come and go: room to move is what decides.
    fn lead(&self, later: &dyn Position) -> f32 {
        if let Some(outcome) = later.outcome() {
            return outcome.winner.map_or(0.0, |winner| if winner == self.turn() { 1.0 } else { -1.0 });
        }
        let later = (later as &dyn Any).downcast_ref::<Tetress>().expect("a position of the same game");
        let [red, blue] = later.mobility().map(|n_moves| (n_moves as f32 + 1.0).ln());
        (if self.turn() == Player::Red { red - blue } else { blue - red }).tanh()
    }
}

impl<B: Bits, const CAPTURES: bool> NetGame for Rhombus<B, CAPTURES> {
    /// The board is transposed for blue, so that the player to move always joins the first and the last row.
    /// Codes: own stone 1, the opponent's 2. Scalars: the share of the turn limit that is used, whether the center is
    /// barred, whether a steal is possible, and the size of the board.
    fn encode(&self, input: &mut NetInput) {
        let size = usize::from(self.size());
        let (own, other) = (self.stones(self.turn()), self.stones(self.turn().opponent()));
        let is_transposed = self.turn() == Player::Blue;
        input.size = self.size();
        input.cells.clear();
        for row in 0..size {
            for col in 0..size {
                let bit = if is_transposed { col * B::STRIDE + row } else { row * B::STRIDE + col };
                input.cells.push(u8::from(own.has(bit)) + 2 * u8::from(other.has(bit)));
            }
        }
        let is_ply = |ply: u16| f32::from(u8::from(CAPTURES && self.ply() == ply));
        let share = f32::from(self.ply()) / f32::from(self.turn_limit());
        input.scalars = [share, is_ply(0), is_ply(1), f32::from(self.size()) / 11.0];
    }

    /// The steal comes after all cells.
    fn policy_index(&self, m: Move) -> u16 {
        let size = u16::from(self.size());
        let is_stone = m.0 < size * size;
        if is_stone && self.turn() == Player::Blue { m.0 % size * size + m.0 / size } else { m.0 }
    }

    /// A win counts the more, the fewer moves it takes from here.
    fn lead(&self, end: &dyn Position) -> f32 {
        let Some(winner) = end.outcome().and_then(|outcome| outcome.winner) else { return 0.0 };
        let n_cells = f32::from(self.size()).powi(2);
        let n_moves = f32::from(end.ply() - self.ply());
        let speed = (1.0 - n_moves / n_cells).max(0.0);
        if winner == self.turn() { speed } else { -speed }
    }
}

/// What a player has more than the opponent at the end, through tanh.
fn material_lead(player: Player, end: &dyn Position) -> f32 {
    let lead = end.material(player) as f32 - end.material(player.opponent()) as f32;
    (lead / CLEAR_LEAD).tanh()
}
