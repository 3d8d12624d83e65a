//! What can be set about the recipe. Every fault of the original is one option with its repair.

use yarra_engine::{OptionInfo, Settings};
use yarra_reports::raccoons::zero::{Design, Init, Policy, Rule, View, Word};

use crate::Plan;

/// All options. The defaults are the report's text, the numbers of the team's program where the report is silent, and
/// the program's faults.
pub const OPTIONS: [OptionInfo; 22] = [
    OptionInfo::choice(
        "preset",
        &["original", "repaired"],
        "original",
        "values of what is not set: those of the `original`, or every fault `repaired`",
    ),
    OptionInfo::choice("policy", &["sigmoid", "softmax"], "sigmoid", "outputs of the policy head"),
    OptionInfo::choice(
        "adam",
        &["forgetful", "real"],
        "forgetful",
        "moments: `forgetful` sets them to zero before every step, as the team's program does by mistake",
    ),
    OptionInfo::choice("optimizer", &["adam", "sgd"], "adam", "the optimizer"),
    OptionInfo::choice(
        "symmetry",
        &["square", "hex", "none"],
        "square",
        "images of each position: three `square` turns, which are no symmetries of the game, or three of its own, `hex`",
    ),
    OptionInfo::choice("padding", &["valid", "torus"], "valid", "what kernels see beyond the edge"),
    OptionInfo::choice(
        "init",
        &["normal", "he"],
        "normal",
        "first weights: of variance 1, or of 2 over the number of inputs",
    ),
    OptionInfo::choice(
        "search",
        &["code", "puct"],
        "code",
        "nodes below the root: one random child a visit, or PUCT",
    ),
    OptionInfo::choice(
        "value",
        &["red", "mover"],
        "red",
        "whose result is learned: red's, which the planes do not show, or the mover's",
    ),
    OptionInfo::choice(
        "loss",
        &["code", "report"],
        "code",
        "the team's `code`, with a 343rd of the policy and no decay, or the `report`'s formula",
    ),
    OptionInfo::choice("order", &["played", "shuffled"], "played", "the order of the examples"),
    OptionInfo::choice(
        "failed",
        &["discarded", "kept"],
        "discarded",
        "a net that has not won: `discarded` as in the report, or `kept` as in the team's program",
    ),
    OptionInfo::integer("games", 1..=10_000, "25", "self-play games of an attempt"),
    OptionInfo::integer("simulations", 1..=10_000, "20", "simulations for a move of self-play"),
    OptionInfo::integer("match_games", 1..=10_000, "15", "games of the new net against the old one"),
    OptionInfo::integer("match_simulations", 1..=10_000, "12", "simulations for a move of these games"),
    OptionInfo::number("needed", "0.6", "share of these games that the new net must win").within(
        0.0,
        1.0,
        "a share from 0 to 1",
    ),
    OptionInfo::integer("epochs", 1..=100_000, "10", "epochs: nets that win, or are given up"),
    OptionInfo::integer("attempts", 1..=10_000, "20", "attempts at an epoch before it is given up"),
    OptionInfo::number("rate", "0", "learning rate; 0 is 0.001 for Adam, 0.01 for SGD").within(
        0.0,
        1.0,
        "a number from 0 to 1",
    ),
    OptionInfo::number("l2", "1e-5", "weight of the squared parameters in the loss").within(
        0.0,
        1.0,
        "a number from 0 to 1",
    ),
    OptionInfo::integer(
        "ladder_games",
        0..=10_000,
        "20",
        "games against each agent of the ladder, for every net that won",
    ),
];

/// The values that mend the original.
const REPAIRS: [(&str, &str); 9] = [
    ("policy", "softmax"),
    ("adam", "real"),
    ("symmetry", "hex"),
    ("padding", "torus"),
    ("init", "he"),
    ("search", "puct"),
    ("value", "mover"),
    ("loss", "report"),
    ("order", "shuffled"),
];

/// How the examples' loss is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Report 004, Agent 1, 1: (z - v)² - π · log p + c |θ|².
    Report,
    /// As in the team's program: half of the value's term, the mean over the 343 moves, and a gradient that is
    /// multiplied by 1 + 2c where 2c θ should be added.
    Code,
}

/// How steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimizer {
    /// Report 004, Agent 1, 1, I (Stochastic Gradient Descent).
    Sgd,
    /// Report 004, Agent 1, 1, II (Adam).
    Adam {
        /// Whether the moments are set to zero before every step. What is left is a step of almost the same size for every
        /// parameter, by the sign of its gradient.
        is_forgetful: bool,
    },
}

/// Which images of a position are learned beside itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Three turns of the square array by 90°, with the directions of spreads left as they are: wrong for a hexagonal
    /// board, and deliberately so.
    Square,
    /// Three of the game's own symmetries at random.
    Hex,
    /// None.
    None,
}

/// The settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    pub design: Design,
    pub init: Init,
    pub rule: Rule,
    pub loss: Loss,
    pub optimizer: Optimizer,
    pub symmetry: Symmetry,
    pub is_shuffled: bool,
    pub keeps_failed: bool,
    pub games: usize,
    pub simulations: u64,
    pub match_games: usize,
    pub match_simulations: u64,
    pub needed: f64,
    pub epochs: u64,
    pub attempts: u64,
    pub rate: f32,
    pub l2: f32,
    pub ladder_games: u32,
}

impl Options {
    /// What a plan and its checked settings ask for.
    pub fn read(plan: &Plan, settings: &Settings) -> Options {
        let is_repaired = settings.get::<&str>("preset") == "repaired";
        let word = |name: &str| -> &str {
            let repair = REPAIRS.iter().find(|(repaired, _)| *repaired == name);
            let is_given = plan.settings.contains_key(name);
            repair
                .filter(|_| is_repaired && !is_given)
                .map_or_else(|| settings.get(name), |&(_, value)| value)
        };
        let optimizer = match word("optimizer") {
            "sgd" => Optimizer::Sgd,
            _ => Optimizer::Adam { is_forgetful: word("adam") == "forgetful" },
        };
        let rate = match (settings.get::<f64>("rate"), optimizer) {
            (0.0, Optimizer::Sgd) => 0.01,
            (0.0, Optimizer::Adam { .. }) => 0.001,
            (rate, _) => rate,
        };
        Options {
            design: Design {
                padding: read(word("padding")),
                policy: read::<Policy>(word("policy")),
                view: read::<View>(word("value")),
            },
            init: if word("init") == "he" { Init::He } else { Init::Normal },
            rule: read(word("search")),
            loss: if word("loss") == "code" { Loss::Code } else { Loss::Report },
            optimizer,
            symmetry: match word("symmetry") {
                "square" => Symmetry::Square,
                "hex" => Symmetry::Hex,
                _ => Symmetry::None,
            },
            is_shuffled: word("order") == "shuffled",
            keeps_failed: word("failed") == "kept",
            games: settings.get("games"),
            simulations: settings.get("simulations"),
            match_games: settings.get("match_games"),
            match_simulations: settings.get("match_simulations"),
            needed: settings.get("needed"),
            epochs: settings.get("epochs"),
            attempts: settings.get("attempts"),
            rate: rate as f32,
            l2: settings.get::<f64>("l2") as f32,
            ladder_games: settings.get("ladder_games"),
        }
    }
}

fn read<T: Word>(word: &str) -> T {
    T::of(word).expect("options have only these words")
}
