//! A net beside the linear evaluation of a champion.

use std::sync::Arc;

use yarra_games::{Game, Player};

use super::Weights;
use super::source::{NetSource, Source};
use crate::net::nnue::{Accumulators, Nnue, Shape};
use crate::net::{NetError, NetFile};
use crate::{Settings, SpecError, Term};

/// A net and the weights that were trained with it.
#[derive(Clone, Debug)]
pub struct NetEvaluation<const N: usize> {
    /// Of the linear evaluation.
    pub weights: Weights<N>,
    /// Beside it.
    pub net: Arc<Nnue>,
}

/// The tensor of the weights without a net.
pub const COUNTS: &str = "counts";
/// The tensor of the weights that were trained with the net.
const NET_COUNTS: &str = "net.counts";

/// The evaluation of a champion.
#[derive(Clone, Debug)]
pub enum Evaluation<const N: usize> {
    /// Counts alone.
    Counts(Weights<N>),
    /// Counts and a net beside them.
    Net(NetEvaluation<N>),
}

impl<const N: usize> Evaluation<N> {
    /// Reads a file: its net if it has one, and otherwise its counts.
    ///
    /// # Errors
    /// If it has neither.
    pub fn read(file: &NetFile, shape: Shape) -> Result<Evaluation<N>, NetError> {
        if file.tensors.contains_key(NET_COUNTS) {
            return NetEvaluation::read(file, shape).map(Evaluation::Net);
        }
        Weights::read(file, COUNTS).map(Evaluation::Counts)
    }

    /// The evaluation that settings ask for, by the built-in weights (fitted, by hand, of version 0.1) and the net of
    /// the fitted ones.
    ///
    /// # Errors
    /// If a file cannot be read, or is for another game.
    pub fn choose(
        settings: &Settings,
        game: &str,
        shape: Shape,
        weights: [Weights<N>; 3],
        net: impl FnOnce() -> Option<&'static NetEvaluation<N>>,
    ) -> Result<Evaluation<N>, SpecError> {
        let read = |option: &str, file: &NetFile| {
            Evaluation::read(file, shape).map_err(|error| SpecError::new(format!("{option}: {error}")))
        };
        let source = Source::read(settings, game)?;
        match (NetSource::read(settings, game)?, &source) {
            (NetSource::File(file), _) => read("net", &file),
            (NetSource::On, Source::File(file)) => read("weights", file),
            (NetSource::On, Source::Fitted) => {
                let counts = || Evaluation::Counts(weights[0]);
                Ok(net().cloned().map_or_else(counts, Evaluation::Net))
            }
            _ => source.choose(weights, |file| Weights::read(file, COUNTS)).map(Evaluation::Counts),
        }
    }
}

impl<const N: usize> NetEvaluation<N> {
    /// Reads a file.
    ///
    /// # Errors
    /// If it has no net of this shape.
    pub fn read(file: &NetFile, shape: Shape) -> Result<NetEvaluation<N>, NetError> {
        Ok(NetEvaluation {
            weights: Weights::read(file, NET_COUNTS)?,
            net: Arc::new(Nnue::read(file, shape)?),
        })
    }

    /// Adds the net to a file.
    pub fn write(&self, file: &mut NetFile) {
        self.weights.write(NET_COUNTS, file);
        self.net.write(file);
    }
}

/// The most cells that a move changes.
const MAX_CHANGES: usize = 7;

/// A few inputs.
#[derive(Clone, Copy, Debug)]
pub struct InputList {
    list: [u16; MAX_CHANGES],
    n: usize,
}

impl InputList {
    /// No inputs.
    pub const EMPTY: InputList = InputList { list: [0; MAX_CHANGES], n: 0 };

    /// Adds an input.
    #[inline(always)]
    pub fn push(&mut self, input: u16) {
        debug_assert!(self.n < MAX_CHANGES, "a move changes more than {MAX_CHANGES} cells");
        if !self.is_full() {
            self.list[self.n] = input;
            self.n += 1;
        }
    }

    /// Whether there is no room for another input.
    #[inline(always)]
    pub fn is_full(&self) -> bool {
        MAX_CHANGES <= self.n
    }

    /// The inputs.
    #[inline(always)]
    pub fn inputs(&self) -> &[u16] {
        &self.list[..self.n]
    }

    /// Replaces the inputs by those of the other view.
    #[inline(always)]
    fn turn<G: NnueGame>(&mut self, pos: &G) {
        let mut idx = 0;
        while idx < self.n {
            self.list[idx] = pos.other_view(self.list[idx]);
            idx += 1;
        }
    }
}

/// The inputs of a view that a move changes.
#[derive(Clone, Copy, Debug)]
pub struct Changes {
    /// What was there before.
    pub gone: InputList,
    /// What is there after it.
    pub come: InputList,
}

/// A game whose positions are inputs of nets.
pub trait NnueGame: Game {
    /// The inputs of both views, that of the player to move first.
    fn inputs(&self) -> [Vec<u16>; 2];

    /// What a move changes, in the view of the player to move after it.
    fn changes(before: &Self, after: &Self) -> Changes;

    /// An input in the view of the other player.
    fn other_view(&self, input: u16) -> u16;
}

/// What is added to the linear evaluation, with what the search carries for it.
pub trait Extra<G>: Clone + Send + Sync {
    /// What the search carries.
    type State: Clone + PartialEq + std::fmt::Debug;

    /// The state of a position, from scratch.
    fn root(&self, pos: &G) -> Self::State;

    /// The state after a move.
    fn child(&self, state: &Self::State, before: &G, after: &G) -> Self::State;

    /// The state after a null move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The value for the player to move, in hundredths.
    fn value(&self, state: &Self::State, pos: &G) -> i32;

    /// The same for people; `None` if nothing is added.
    fn term(&self, state: &Self::State, pos: &G) -> Option<Term>;
}

/// Nothing is added.
#[derive(Clone, Copy, Debug)]
pub struct NoNet;

impl<G> Extra<G> for NoNet {
    type State = ();

    #[inline(always)]
    fn root(&self, _: &G) {}

    #[inline(always)]
    fn child(&self, (): &(), _: &G, _: &G) {}

    #[inline(always)]
    fn passed(&self, (): &()) {}

    #[inline(always)]
    fn value(&self, (): &(), _: &G) -> i32 {
        0
    }

    fn term(&self, (): &(), _: &G) -> Option<Term> {
        None
    }
}

impl<G: NnueGame> Extra<G> for Arc<Nnue> {
    type State = Accumulators;

    fn root(&self, pos: &G) -> Accumulators {
        pos.inputs().map(|inputs| self.sums(inputs.into_iter().map(usize::from)))
    }

    #[inline(always)]
    fn child(&self, state: &Accumulators, before: &G, after: &G) -> Accumulators {
        let Changes { mut gone, mut come } = G::changes(before, after);
        let mine = self.updated(&state[1], gone.inputs(), come.inputs());
        gone.turn(after);
        come.turn(after);
        [mine, self.updated(&state[0], gone.inputs(), come.inputs())]
    }

    #[inline(always)]
    fn passed(&self, &[mine, others]: &Accumulators) -> Accumulators {
        [others, mine]
    }

    #[inline(always)]
    fn value(&self, state: &Accumulators, pos: &G) -> i32 {
        debug_assert_eq!(*state, Extra::root(self, pos), "accumulators at {pos}");
        Nnue::value(self, state)
    }

    fn term(&self, state: &Accumulators, pos: &G) -> Option<Term> {
        let value = f64::from(Extra::value(self, state, pos)) / 100.0;
        let [red, blue] = if pos.turn() == Player::Red { [value, 0.0] } else { [0.0, value] };
        Some(Term { name: "the net", red, blue, weight: 1.0 })
    }
}
