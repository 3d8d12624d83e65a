//! The agent `raccoons-zero`.

use std::path::Path;
use std::sync::Arc;

use yarra_engine::agent::position_of;
use yarra_engine::net::NetFile;
use yarra_engine::spec::{Factory, expect_game, factory};
use yarra_engine::{
    Agent, AgentError, AgentInfo, Budget, Choice, Iteration, Limits, OptionInfo, Progress, Score, Settings,
    SpecError, Stats, Watch,
};
use yarra_games::infexion::Infexion;
use yarra_games::{Player, Position, Record};

use super::{EXPLORATION, Net, Rule, Search, Word, match_temperature};

/// Report 004, Agent 1.
pub const AGENT: AgentInfo = AgentInfo {
    name: "raccoons-zero",
    about: "simplified AlphaZero: a small net and 12 simulations a move",
    source: "report 004, Agent 1: Simplified AlphaZero",
    differs: &[
        "the net was trained by the recipe `raccoons` with `failed=kept`, as the team's program does: a net that has not won is trained on, for none has won; that of the team is not used",
        "planes, sizes, simulations and temperatures are those of the team's program: the report gives none",
        "each node below the root gets one child at random on a visit, as in the team's program; the report's PUCT is search=puct",
        "the temperatures between ply 30 and 200 change at ply 100: the place is our choice",
    ],
    options: &OPTIONS,
    prepare,
};

const OPTIONS: [OptionInfo; 5] = [
    OptionInfo::text("net", "a net file or a run's directory; the net that is built in if not given"),
    OptionInfo::integer("simulations", 1..=1_000_000, "12", "simulations per move; `nodes` overrides it"),
    OptionInfo::choice(
        "search",
        &["trained", "code", "puct"],
        "trained",
        "below the root: `code` adds a child at random, `puct` goes by upper bounds; `trained` does as the net's self-play",
    ),
    OptionInfo::number("exploration", "1", "weight of the priors in the upper bound").within(
        0.0,
        f32::MAX as f64,
        "a number of at least 0",
    ),
    OptionInfo::switch(
        "sampling",
        "on",
        "draw moves by their visits as in the team's matches; off plays the most visited",
    ),
];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    expect_game::<Infexion>(AGENT.name, pos)?;
    let (net, trained_with) = match settings.get::<&str>("net") {
        "" => Net::built_in(),
        path => {
            let read = NetFile::open(Path::new(path));
            let net = read.and_then(|file| Net::from_file(&file).map_err(|error| error.at(Path::new(path))));
            net.map_err(|error| SpecError::new(error.to_string()))?
        }
    };
    let net = Arc::new(net);
    let rule = Rule::of(settings.get("search")).unwrap_or(trained_with);
    let exploration = settings.get::<f64>("exploration") as f32;
    let (n_simulations, is_sampling) = (settings.get("simulations"), settings.get("sampling"));
    Ok(factory(move |seed| Zero {
        net: net.clone(),
        search: Search::new(rule, exploration),
        n_simulations,
        is_sampling,
        rng: fastrand::Rng::with_seed(seed),
    }))
}

/// Plays by a net and its search.
pub struct Zero {
    net: Arc<Net>,
    search: Search,
    n_simulations: u64,
    /// Whether moves are drawn by their visits, or the most visited is played.
    is_sampling: bool,
    rng: fastrand::Rng,
}

impl Zero {
    /// The agent as it plays in matches.
    pub fn new(net: Arc<Net>, rule: Rule, n_simulations: u64, seed: u64) -> Zero {
        let search = Search::new(rule, EXPLORATION);
        Zero { net, search, n_simulations, is_sampling: true, rng: fastrand::Rng::with_seed(seed) }
    }
}

/// The most visited move; the search divides by the temperature.
const ALMOST_NONE: f64 = 1e-6;
/// Simulations from one look at the clock to the next: they take some microseconds each.
const N_BETWEEN_CHECKS: u64 = 16;

impl Agent for Zero {
    fn begin(&mut self, _: Player, _: &Record, _: Limits) -> Result<(), AgentError> {
        self.search.forget();
        Ok(())
    }

    fn choose(&mut self, game: &Record, limits: Limits, watch: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let pos = position_of::<Infexion>(game)?;
        let mut budget = Budget::start(limits.hard_time(), None);
        let n_simulations = limits.nodes.unwrap_or(self.n_simulations).max(1);
        self.search.set_root(&self.net, &pos);
        let mut n_done = 0;
        while n_done < n_simulations {
            self.search.simulate(&self.net, &mut self.rng);
            n_done += 1;
            if n_done.is_multiple_of(N_BETWEEN_CHECKS) {
                let (score, elapsed) = (Score::default(), budget.elapsed());
                let progress = Progress { rank: 0, depth: 0, score, nodes: n_done, line: &[], elapsed };
                if budget.is_spent(0) || watch(&progress).is_break() {
                    break;
                }
            }
        }
        let temperature = if self.is_sampling { match_temperature(pos.ply()) } else { ALMOST_NONE };
        let mut choice = Choice::from(self.search.draw(temperature, &mut self.rng));
        let score = Score::from_units(f64::from(self.search.mean(choice.mv)));
        (choice.score, choice.line) = (Some(score), self.search.line(choice.mv));
        let (depth, line, elapsed) = (self.search.depth(), choice.line.clone(), budget.elapsed());
        choice.stats = Stats {
            nodes: n_done,
            evaluations: n_done,
            playouts: n_done,
            iterations: vec![Iteration { depth, score, line, nodes: n_done, elapsed }],
            elapsed,
            memory: self.search.memory(),
            ..Stats::default()
        };
        Ok(choice)
    }
}
