use yarra_engine::agent::unwatched;
use yarra_engine::simple::Random;
use yarra_engine::{Agent, Limits};
use yarra_games::{Player, Position, Record, start};

use crate::{EMPTY, agents, board, make, make_for};

/// Plays to the end against random moves.
fn play(agent: &mut dyn Agent, side: Player, seed: u64) -> Record {
    let mut game = Record::new(start("infexion").expect("a game"));
    let mut random = Random::new(seed);
    agent.begin(side, &game, Limits::default()).expect("it plays Infexion");
    while game.outcome().is_none() {
        let is_agents_turn = game.now().turn() == side;
        let player: &mut dyn Agent = if is_agents_turn { agent } else { &mut random };
        let m = player.choose(&game, Limits::default(), &mut unwatched).expect("a move").mv;
        let m = game.read_move(&game.now().show_move(m)).expect("a legal move");
        game.play(m);
        agent.played(&game, &m.into()).expect("it goes on");
    }
    agent.end(&game);
    game
}

#[test]
fn every_agent_plays_whole_games() {
    let quick = |name: &str| match name {
        "entourage" | "entourage-negascout" => "depth=2",
        "entourage-mcts" => "playouts=20",
        _ => "",
    };
    for info in agents() {
        for (side, seed) in [(Player::Red, 1), (Player::Blue, 2)] {
            let mut agent = make(info.name, quick(info.name));
            let game = play(&mut *agent, side, seed);
            let winner = game.outcome().and_then(|outcome| outcome.winner);
            // These two are too weak for that, or have too little time.
            if !["entourage-mcts", "raccoons-zero"].contains(&info.name) {
                assert_eq!(winner, Some(side), "{} lost to random", info.name);
            }
        }
    }
}

#[test]
fn playouts_can_be_of_every_kind() {
    let game = Record::new(start("infexion").expect("a game"));
    for options in [
        "rollout=greedy",
        "rollout=minimax,cut=2",
        "queue=off",
        "cut=0",
        "rollout=greedy,cut=4,queue=off,exploration=1,scale=5",
    ] {
        let mut agent = make("entourage-mcts", &format!("playouts=60,{options}"));
        let choice = agent.choose(&game, Limits::default(), &mut unwatched).expect("a move");
        assert_eq!(choice.stats.playouts, 60, "{options}");
    }
}

#[test]
fn the_capturing_greedy_takes_the_most_power_or_spawns() {
    let chosen = |rows, turn| {
        let game = Record::new(board(rows, turn).boxed());
        let choice = make("entourage-capture", "").choose(&game, Limits::default(), &mut unwatched);
        game.now().show_move(choice.expect("a move").mv)
    };
    // Three of power beat two stacks of one.
    let rows = ["r2b1b1....", EMPTY, EMPTY, "r1b3.....", EMPTY, EMPTY, EMPTY];
    assert_eq!(chosen(rows, "r 20"), "3-0dr");
    // Nothing to capture: a spawn, not a spread.
    let rows = ["r3......", EMPTY, EMPTY, "...b1...", EMPTY, EMPTY, EMPTY];
    assert_eq!(chosen(rows, "b 21").len(), "0-0".len());
}

#[test]
fn negascout_and_negamax_agree_whatever_the_window() {
    let rows = ["r1.b1....", ".r2.b1...", "..b1.r1..", "r1.b2....", ".....r1.", EMPTY, "b1......"];
    let game = Record::new(board(rows, "r 30").boxed());
    let score = |name: &str, options: &str| {
        make(name, options).choose(&game, Limits::default(), &mut unwatched).expect("a move").score
    };
    let negamax = score("entourage", "depth=3");
    for window in ["0.01", "1", "100"] {
        let options = format!("depth=3,window={window}");
        assert_eq!(score("entourage-negascout", &options), negamax, "window {window}");
    }
    assert_eq!(score("entourage", "depth=3,ordering=off"), negamax);
    assert_eq!(score("entourage-shallow", ""), score("entourage", "depth=2,reduction=off,endgame=off"));
}

#[test]
fn mistakes_in_a_spec_are_explained() {
    let cases = [
        ("cachex:9", "entourage", "", "entourage plays infexion, not cachex:9"),
        ("hex", "entourage-negascout", "", "entourage-negascout plays infexion, not hex:11"),
        ("tetress", "raccoons", "", "raccoons plays infexion, not tetress"),
        ("infexion", "entourage", "reduction=maybe", "reduction=maybe: expected on or off"),
        ("infexion", "entourage", "quantity=many", "quantity=many"),
        ("infexion", "entourage", "desperate_move=18", "expected a time"),
        ("infexion", "entourage-mcts", "rollout=clever", "expected one of random, greedy, minimax"),
        ("infexion", "entourage-mcts", "scale=0", "above 0"),
        ("infexion", "raccoons", "power=inf", "expected a finite number"),
        ("infexion", "raccoons", "colour=red", "no option"),
    ];
    for (game, name, options, expected) in cases {
        let error = make_for(game, name, options).err().map(|error| error.to_string());
        let is_explained = error.as_ref().is_some_and(|error| error.contains(expected));
        assert!(is_explained, "{name}:{options} on {game}: {error:?}");
    }
}
