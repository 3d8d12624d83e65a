//! External agents, well-behaved and not: real Python programs in real sandboxes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use yarra_arena::{Side, play};
use yarra_engine::options::read_duration;
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentError, Choice, Limits, Watch};
use yarra_files::SavedGame;
use yarra_games::{ByPlayer, Move, Player, Record, start};
use yarra_guests::jail::{Layer, Layers};
use yarra_guests::{Host, HostOptions};

/// The expected verdict on an agent in `agents/bad`, and the conditions of its game.
#[derive(Clone, Debug, Deserialize)]
struct Expected {
    game: String,
    verdict: Option<String>,
    #[serde(default)]
    limits: BTreeMap<String, String>,
    #[serde(default)]
    side: Option<String>,
    #[serde(default)]
    opponent: Option<String>,
    #[serde(default)]
    refused: bool,
}

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

fn expected() -> BTreeMap<String, Expected> {
    let text = fs::read_to_string(format!("{CRATE}/tests/agents/bad/expected.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

impl Expected {
    fn options(&self) -> HostOptions {
        let limit = |name: &str| self.limits.get(name);
        HostOptions {
            // No agent that plays on needs a minute.
            time: Some(Some(
                limit("time").map_or(Duration::from_secs(60), |text| read_duration(text).unwrap()),
            )),
            memory: limit("memory")
                .map(|text| Some(text.strip_suffix("MB").unwrap().parse::<u64>().unwrap() << 20)),
            call: limit("silence").map(|text| read_duration(text).unwrap()),
            ..HostOptions::default()
        }
    }
}

/// The spec of a well-behaved agent of a game, `infexion/greedy`, or of one that misbehaves, `bad/abort`.
fn spec(path: &str) -> String {
    let Some(name) = path.strip_prefix("bad/") else {
        return format!("python:{CRATE}/../../examples/agents/{path}");
    };
    let own_folder = format!("{CRATE}/tests/agents/folders/{name}");
    match Path::new(&own_folder).is_dir() {
        true => format!("python:{own_folder}"),
        false => format!("python:{CRATE}/tests/agents/bad:{name}"),
    }
}

fn seat(host: &Host, game: &str, folder: &str) -> Box<dyn Agent> {
    host.guest(&spec(folder).parse().unwrap(), &*start(game).unwrap()).unwrap().seat(0)
}

/// Maximizes its lead in material, so that games are short.
struct Hunter;

impl Agent for Hunter {
    fn choose(&mut self, game: &Record, _: Limits, _: &mut Watch<'_>) -> Result<Choice, AgentError> {
        let (pos, own) = (game.now(), game.now().turn());
        let lead = |&m: &Move| {
            let mut after = pos.boxed();
            after.play(m);
            after.material(own) as i32 - after.material(own.opponent()) as i32
        };
        Ok(game.legal_moves().into_iter().max_by_key(lead).expect("the game is not over").into())
    }
}

/// A game in which an agent plays a side against an opponent.
fn game(game: &str, agent: Box<dyn Agent>, side: Player, opponent: Box<dyn Agent>) -> SavedGame {
    let [first, second] = [agent, opponent].map(|agent| Ok(Side::new(agent, Limits::default())));
    let sides = match side {
        Player::Red => ByPlayer { red: first, blue: second },
        Player::Blue => ByPlayer { red: second, blue: first },
    };
    let record = Record::new(start(game).unwrap());
    play(record, sides, &mut |_| std::ops::ControlFlow::Continue(())).unwrap().unwrap().saved
}

fn judge(name: &str, expected: &Expected) -> SavedGame {
    let name_of_game = if expected.game == "cachex" { "cachex:5" } else { &expected.game };
    let side = if expected.side.as_deref() == Some("blue") { Player::Blue } else { Player::Red };
    let host = Host::new(expected.options());
    let agent = seat(&host, name_of_game, &format!("bad/{name}"));
    let opponent = match &expected.opponent {
        Some(other) => seat(&host, name_of_game, &format!("bad/{other}")),
        None => Box::new(Hunter),
    };
    let saved = game(name_of_game, agent, side, opponent);
    let loser = saved.fault.as_ref().map(|fault| fault.player);
    let found = verdict(&saved);
    assert_eq!(found, expected.verdict, "{name}: {saved:?}");
    if found.is_some() {
        let winner = saved.ending.as_ref().and_then(|ending| ending.winner);
        assert_eq!(loser, Some(side), "{name}: {saved:?}");
        assert_eq!(winner, Some(side.opponent()), "{name}: {saved:?}");
    }
    assert_eq!(n_survivors(&host), 0, "{name} has left processes behind");
    saved
}

/// The fault that ended the game, if one did.
fn verdict(saved: &SavedGame) -> Option<String> {
    saved.fault.as_ref()?;
    Some(saved.ending.as_ref()?.cause.name().to_owned())
}

/// The number of processes of a host's agents that are still running; all of them run one script.
fn n_survivors(host: &Host) -> usize {
    let script = host.interpreter().unwrap().host();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&*script.to_string_lossy())).count()
}

/// Judges all agents with a verdict, then checks that a well-behaved one can still play.
#[track_caller]
fn check(verdict: Option<&str>) {
    let all = expected();
    let chosen: Vec<_> = all.iter().filter(|(_, expected)| expected.verdict.as_deref() == verdict).collect();
    assert!(!chosen.is_empty());
    for (name, expected) in chosen.into_iter().filter(|(_, expected)| !expected.refused) {
        judge(name, expected);
    }
    let host = Host::default();
    let saved = game("infexion", seat(&host, "infexion", "infexion/greedy"), Player::Red, Box::new(Hunter));
    assert_eq!(saved.fault, None);
}

#[test]
fn exceptions_signals_and_failed_imports_are_crashes() {
    check(Some("crash"));
}

#[test]
fn leaving_is_an_exit() {
    check(Some("exit"));
}

#[test]
fn thinking_too_long_is_a_loss_on_time() {
    check(Some("time"));
}

#[test]
fn waiting_too_long_is_silence() {
    check(Some("silence"));
}

#[test]
fn memory_has_a_limit() {
    check(Some("memory"));
}

#[test]
fn output_has_a_limit() {
    check(Some("flood"));
}

#[test]
fn wrong_values_are_illegal_moves() {
    check(Some("illegal_move"));
}

#[test]
fn noise_on_the_referees_channel_is_a_protocol_fault() {
    check(Some("protocol"));
}

#[test]
fn what_fails_inside_the_agent_has_no_verdict() {
    check(None);
}

#[test]
fn folders_without_one_package_are_refused() {
    let host = Host::default();
    for (name, expected) in expected().iter().filter(|(_, expected)| expected.refused) {
        let pos = start(&expected.game).unwrap();
        let Err(error) = host.guest(&spec(&format!("bad/{name}")).parse().unwrap(), &*pos) else {
            panic!("{name}")
        };
        assert!(error.to_string().contains("package"), "{error}");
    }
}

#[test]
fn every_misbehaving_agent_is_expected() {
    let entries =
        ["bad", "folders"].map(|kind| fs::read_dir(format!("{CRATE}/tests/agents/{kind}")).unwrap());
    let names = entries.into_iter().flatten().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.map(|name| name.trim_end_matches(".py").to_owned());
    let others = ["README.md", "expected.json", "__pycache__", "base", "cachex_base"];
    let mut names: Vec<String> = names.filter(|name| !others.contains(&name.as_str())).collect();
    names.sort();
    assert_eq!(names, expected().into_keys().collect::<Vec<_>>());
}

#[test]
fn faults_have_the_position_the_move_and_the_traceback() {
    let all = expected();
    let saved = judge("illegal_move", &all["illegal_move"]);
    let fault = saved.fault.unwrap();
    assert_eq!(fault.said.as_deref(), Some("SPAWN(0, 0)"));
    assert_eq!(
        fault.position,
        Record::read("infexion", None, saved.moves.iter().map(String::as_str)).unwrap().now().to_string()
    );
    let saved = judge("crash_action", &all["crash_action"]);
    let message = saved.fault.unwrap().message;
    assert!(message.contains("Traceback") && message.contains("in action"), "{message}");
    let saved = judge("prints", &Expected { verdict: None, ..all["prints"].clone() });
    assert_eq!(saved.times.len(), saved.moves.len());
}

#[test]
fn well_behaved_agents_play_whole_games() {
    let host = Host::default();
    for name in ["infexion", "tetress", "cachex:4", "cachex:7"] {
        let folder = name.split(':').next().unwrap();
        for agent in ["random", "greedy", "minimax", "mcts"] {
            for side in Player::BOTH {
                let agent = seat(&host, name, &format!("{folder}/{agent}"));
                let saved = game(name, agent, side, Box::new(Random::new(7)));
                assert_eq!(saved.fault, None, "{name} {side}");
            }
        }
        let [first, second] =
            ["mcts", "minimax"].map(|agent| seat(&host, name, &format!("{folder}/{agent}")));
        assert_eq!(game(name, first, Player::Red, second).fault, None, "{name}");
    }
}

#[test]
fn with_fewer_layers_agents_still_play_and_still_lose() {
    let all = Layers::of_this_machine();
    let mut fewer = vec![
        all.clone().without(Layer::Files),
        all.clone().without(Layer::Processes),
        all.clone().without(Layer::Files).without(Layer::Landlock).without(Layer::Seccomp),
        all.clone().without_namespaces(),
        Layers::none(),
    ];
    // Only root can make the other namespaces without one of users.
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        fewer.push(all.without(Layer::User));
    }
    for layers in fewer {
        let options = |time| HostOptions {
            layers: Some(layers.clone()),
            time: Some(Some(time)),
            ..HostOptions::default()
        };
        let host = Host::new(options(Duration::from_secs(60)));
        let saved = game("tetress", seat(&host, "tetress", "tetress/greedy"), Player::Red, Box::new(Hunter));
        assert_eq!(saved.fault, None, "{layers:?}");
        let host = Host::new(options(Duration::from_millis(300)));
        for (name, expected) in [("daemon", None), ("infinite_loop", Some("time")), ("os_exit", Some("exit"))]
        {
            let agent = seat(&host, "infexion", &format!("bad/{name}"));
            let saved = game("infexion", agent, Player::Blue, Box::new(Hunter));
            assert_eq!(verdict(&saved).as_deref(), expected, "{name} {layers:?}");
            assert_eq!(n_survivors(&host), 0, "{name} {layers:?}");
        }
    }
}
