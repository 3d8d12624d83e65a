//! What can be set about a run, and what follows from it for a round.

use yarra_engine::net::conv::{Geometry, NetShape};
use yarra_engine::zero::ZeroOptions;
use yarra_engine::{OptionInfo, Settings};
use yarra_games::GameInfo;

use super::game::ValueTarget;
use super::play::PlayRules;
use crate::{Plan, RunError};

/// What a run does.
#[derive(Clone, Debug)]
pub struct ZeroPlan {
    /// The game.
    pub game: &'static GameInfo,
    /// The board sizes to play, each as often as it is listed.
    pub sizes: Vec<u8>,
    /// The board sizes of the ladder.
    pub ladder_sizes: Vec<u8>,
    /// The net.
    pub shape: NetShape,
    /// Games of a round.
    pub n_games: usize,
    /// Simulations per move in the first half of the run; in the second half twice as many.
    pub n_simulations: u64,
    /// How the value to learn follows from the result and the searches.
    pub target: ValueTarget,
    /// Samples of a training step.
    pub batch: usize,
    /// How often a sample is trained on, on average.
    pub n_uses: f64,
    /// The learning rate at the start; at the end it is a tenth.
    pub rate: f64,
    /// Samples until the window begins to forget.
    pub n_window: u64,
    /// How much of the old mean the smoothed net keeps at each step.
    pub smoothing: f32,
    /// Rounds from one ladder to the next.
    pub ladder_every: u64,
    /// Games against each opponent.
    pub ladder_games: u32,
    /// Simulations per move in the ladder.
    pub ladder_simulations: u64,
    search: ZeroOptions,
}

/// The options of the recipe. A zero stands for the game's own number.
pub const OPTIONS: &[OptionInfo] = &[
    OptionInfo::integer("blocks", 0..=40, "0", "residual blocks of the net; 0 is 3, in Tetress 4"),
    OptionInfo::integer("filters", 16..=512, "32", "filters of each convolution, a multiple of 16"),
    OptionInfo::count("games", "0", "games of a round; 0 is 100, in Tetress 60, in Cachex and Hex 200"),
    OptionInfo::integer(
        "simulations",
        2..=100_000,
        "32",
        "simulations per move, from half of the run on twice as many",
    ),
    OptionInfo::integer("considered", 2..=1024, "16", "root moves that sequential halving begins with"),
    OptionInfo::number("noise", "1", "scale of the Gumbel noise at the root").within(
        0.0,
        100.0,
        "a number from 0 to 100",
    ),
    OptionInfo::number("value_scale", "1", "weight of values against logits in the improved policy")
        .above_zero(),
    OptionInfo::number(
        "trace",
        "0",
        "λ of TD(λ) for the values to learn; 0 is the mean of the result and the search's own value, in Tetress 0.85, in \
         Cachex and Hex 0.97",
    )
    .within(0.0, 1.0, "a share from 0 to 1"),
    OptionInfo::integer("batch", 1..=65_536, "256", "samples of a training step"),
    OptionInfo::number("uses", "4", "how often a sample is trained on").above_zero(),
    OptionInfo::number("rate", "0.001", "learning rate at the start; a tenth at the end").above_zero(),
    OptionInfo::count(
        "window",
        "250000",
        "samples until the replay window forgets; then it grows like n^0.75",
    ),
    OptionInfo::number("smoothing", "0.998", "the share of the old mean of weights that a step keeps")
        .within(0.0, 0.99999, "a share below 1"),
    OptionInfo::integer("ladder", 1..=1_000_000, "10", "rounds from one ladder to the next"),
    OptionInfo::integer("ladder_games", 2..=100_000, "20", "games of a ladder against each opponent"),
    OptionInfo::integer("ladder_simulations", 1..=100_000, "64", "simulations per move in the ladder"),
];

/// In the first round the net knows nothing: simulations would only find the ends of games.
const FIRST_SIMULATIONS: u64 = 8;
/// Games of the first round are short, so there are so many times more of them.
const FIRST_GAMES: usize = 4;

impl ZeroPlan {
    /// Reads the options.
    pub fn read(plan: &Plan, settings: &Settings) -> Result<ZeroPlan, RunError> {
        let (game, size) = plan.game().map_err(|error| RunError::new(error.to_string()))?;
        let geometry = Geometry::of(game.name);
        let geometry = geometry.ok_or_else(|| RunError::new(format!("no net plays {}", game.name)))?;
        let or = |n: usize, usual: usize| if n == 0 { usual } else { n };
        let by_game = |[infexion, tetress, rhombus]: [usize; 3]| match geometry {
            Geometry::HexTorus => infexion,
            Geometry::SquareTorus => tetress,
            Geometry::Rhombus => rhombus,
        };
        let n_blocks = or(settings.get("blocks"), by_game([3, 4, 3]));
        let shape = NetShape { geometry, n_blocks, n_filters: settings.get("filters") };
        shape.check().map_err(RunError::new)?;
        let is_mixed = size.is_none() && game.has_sizes();
        let size = size.unwrap_or(game.default_size);
        Ok(ZeroPlan {
            game,
            sizes: if is_mixed { vec![5, 7, 5, 6, 7, 5, 8, 7, 9] } else { vec![size] },
            ladder_sizes: if is_mixed { vec![5, 7] } else { vec![size] },
            shape,
            n_games: or(settings.get("games"), by_game([100, 60, 200])),
            n_simulations: settings.get("simulations"),
            target: match (settings.get::<f64>("trace") as f32, geometry) {
                (0.0, Geometry::HexTorus) => ValueTarget::Mean,
                // The last plies decide: the result says little about what was many plies before.
                (0.0, Geometry::SquareTorus) => ValueTarget::Return(0.85),
                (0.0, Geometry::Rhombus) => ValueTarget::Return(0.97),
                (trace, _) => ValueTarget::Return(trace),
            },
            batch: settings.get("batch"),
            n_uses: settings.get("uses"),
            rate: settings.get("rate"),
            n_window: settings.get("window"),
            smoothing: settings.get::<f64>("smoothing") as f32,
            ladder_every: settings.get("ladder"),
            ladder_games: settings.get("ladder_games"),
            ladder_simulations: settings.get("ladder_simulations"),
            search: ZeroOptions {
                n_considered: settings.get("considered"),
                noise: settings.get::<f64>("noise") as f32,
                value_scale: settings.get("value_scale"),
                keeps_tree: false,
                ..ZeroOptions::default()
            },
        })
    }

    /// What a ladder's points depend on beside the net.
    pub fn ladder_name(&self) -> String {
        let (opponents, sizes) = (self.opponents().join(" "), &self.ladder_sizes);
        format!("{opponents} {sizes:?} {} {}", self.ladder_games, self.ladder_simulations)
    }

    /// The number of games of a round.
    pub fn n_games_of(&self, round: u64) -> usize {
        if round == 0 { FIRST_GAMES * self.n_games } else { self.n_games }
    }

    /// How the games of a round go.
    pub fn rules(&self, round: u64, share: f64) -> PlayRules {
        let is_first = round == 0;
        let is_rhombus = self.shape.geometry == Geometry::Rhombus;
        // Infexion has no end in sight for players who know nothing, and a lead that tells who would win.
        let is_long = self.shape.geometry == Geometry::HexTorus;
        let n_simulations = match share {
            _ if is_first => FIRST_SIMULATIONS.min(self.n_simulations),
            0.0..0.5 => self.n_simulations,
            _ => 2 * self.n_simulations,
        };
        PlayRules {
            n_simulations,
            search: self.search,
            n_random: match (is_first && is_long, is_rhombus) {
                (true, _) => 10..=40,
                (_, true) => 0..=self.game.opening_plies,
                _ => 0..=6,
            },
            stop_after: is_long.then_some(if is_first { 60 } else { 200 }),
            resigns: !is_first && !is_rhombus,
        }
    }

    /// The learning rate at a share of the run: a cosine down to a tenth.
    pub fn rate_at(&self, share: f64) -> f32 {
        let fall = 0.5 - 0.5 * (std::f64::consts::PI * share.clamp(0.0, 1.0)).cos();
        (self.rate * (1.0 - 0.9 * fall)) as f32
    }

    /// The ladder's opponents, the weakest first. Those that would use all their time have a number of nodes instead, so
    /// that a round can be repeated.
    pub fn opponents(&self) -> &'static [&'static str] {
        match self.shape.geometry {
            Geometry::HexTorus => &[
                "random",
                "greedy",
                "raccoons",
                "entourage-greedy",
                "entourage:nodes=10000",
                "champion:depth=1",
            ],
            Geometry::SquareTorus => &["random", "greedy", "insight-greedy", "champion:nodes=1000"],
            Geometry::Rhombus => &[
                "random",
                "greedy",
                "tbd-greedy",
                "tbd:nodes=20000",
                "champion:nodes=100",
                "champion:nodes=1000",
            ],
        }
    }
}
