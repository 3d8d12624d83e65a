//! The agent by name: from the text of its options to a net and a search.

use std::path::Path;
use std::sync::Arc;

use yarra_games::Position;

use super::Zero;
use super::options::{SEARCH_OPTIONS, ZeroOptions};
use crate::net::conv::{ConvNet, KIND, NetOracle, net_game};
use crate::net::{NetError, NetFile};
use crate::options::join;
use crate::spec::{Factory, factory};
use crate::time::Paced;
use crate::{AgentInfo, Limits, OptionInfo, Settings, SpecError};

/// The agent that plays with nets of the recipe `zero`.
pub const AGENTS: &[AgentInfo] = &[AgentInfo {
    name: "zero",
    about: "tree search guided by a net that has learned by self-play, 1 s per move if no limit is given; `nodes` are \
            simulations, 200 under a depth",
    source: "",
    differs: &[],
    options: &OPTIONS,
    prepare,
}];

const OPTIONS: [OptionInfo; 8] = join(&[
    &[OptionInfo::text(
        "net",
        "a net's file or the directory of a run of recipe `zero`; the built-in net if not given",
    )],
    &SEARCH_OPTIONS,
    &[OptionInfo::switch("symmetry", "off", "see each position under a random symmetry of the board")],
]);

/// The nets that are part of the program, by game. docs/learning.md says how they were trained.
const NETS: [(&str, &[u8]); 4] = [
    ("infexion", include_bytes!("../../../../nets/infexion-zero.safetensors")),
    ("tetress", include_bytes!("../../../../nets/tetress-zero.safetensors")),
    ("cachex", include_bytes!("../../../../nets/cachex-zero.safetensors")),
    ("hex", include_bytes!("../../../../nets/hex-zero.safetensors")),
];

fn prepare(pos: &dyn Position, settings: &Settings) -> Result<Factory, SpecError> {
    let net =
        open(settings.get("net"), pos.info().name).map_err(|error| SpecError::new(error.to_string()))?;
    net_game(pos).ok_or_else(|| SpecError::new(format!("no net plays {}", pos.spec())))?;
    let net = Arc::new(net);
    let options = ZeroOptions::read(settings);
    let turns = settings.get("symmetry");
    // `Paced` sets the time, unless the number of simulations is limited.
    let has_simulations = options.simulations.is_some();
    Ok(factory(move |seed| Paced {
        agent: Zero::new(NetOracle::new(net.clone(), Some(seed).filter(|_| turns)), options, seed),
        complete: move |limits: Limits| if has_simulations { limits } else { limits.or_think_time() },
    }))
}

/// The net of a path, or the program's own for a game.
fn open(path: &str, game: &str) -> Result<ConvNet, NetError> {
    if path.is_empty() {
        let own = NETS.iter().find(|(name, _)| *name == game).map(|(_, bytes)| *bytes);
        let none = || NetError::new(format!("expected net=FILE or net=DIR: no net for {game} is built in"));
        return ConvNet::from_file(&NetFile::read(own.ok_or_else(none)?)?);
    }
    let path = Path::new(path);
    let file = NetFile::open(path)?;
    let net = file.check(KIND, game).and_then(|()| ConvNet::from_file(&file));
    net.map_err(|error| error.at(path))
}

#[cfg(test)]
mod tests {
    use yarra_games::start;

    use super::*;
    use crate::agent::unwatched;
    use crate::net::conv::{Geometry, NetShape};
    use yarra_games::Record;

    fn net(game: &str) -> ConvNet {
        let geometry = Geometry::of(game).expect("a game that nets play");
        let shape = NetShape { geometry, n_blocks: 1, n_filters: 16 };
        ConvNet::new(game, shape, &mut fastrand::Rng::with_seed(1)).expect("a shape")
    }

    #[test]
    fn every_game_has_a_net_of_its_own() {
        for (game, _) in NETS {
            let net = open("", game).expect("a built-in net");
            assert_eq!(net.game(), game);
            assert!(AGENTS[0].make(&*start(game).expect("a game"), "", 1).is_ok());
        }
    }

    #[test]
    fn a_file_is_an_agent_for_its_game_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net.safetensors");
        std::fs::write(&path, net("cachex").to_file().to_bytes()).expect("a file");
        for spec in ["cachex:5", "cachex:9", "cachex:15"] {
            let game = Record::new(start(spec).expect("a game"));
            for path in [&path, folder.path()] {
                let options = format!("net={},symmetry=on,noise=1", path.display());
                let mut agent = AGENTS[0].make(game.now(), &options, 1).expect("an agent");
                let limits = Limits { nodes: Some(20), ..Limits::default() };
                let choice = agent.choose(&game, limits, &mut unwatched).expect("a search never fails");
                assert!(game.legal_moves().contains(&choice.mv));
            }
        }
        let refused = |game: &str, options: &str| {
            let made = AGENTS[0].make(&*start(game).expect("a game"), options, 1);
            made.map(|_| ()).expect_err("no agent").to_string()
        };
        let options = format!("net={}", path.display());
        let error = refused("infexion", &options);
        assert!(error.ends_with("expected a net of game infexion, found cachex"), "{error}");
        let bytes = net("cachex").to_file().to_bytes();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("a file");
        let error = refused("cachex", &options);
        assert!(error.contains("cut off") && !error.contains('\n'), "{error}");
    }
}
