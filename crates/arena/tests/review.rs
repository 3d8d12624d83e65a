//! Reviews of games: planted errors are found and attributed to the right player.

use std::ops::ControlFlow;

use yarra_arena::review::{Analyst, Conclusion, Judgment, Review};
use yarra_engine::champion::infexion::Reach;
use yarra_engine::pvs::{Pvs, PvsOptions};
use yarra_engine::simple::Random;
use yarra_engine::{Agent, AgentError, Choice, Failure, Limits, Score};
use yarra_files::{SavedFault, SavedGame};
use yarra_games::infexion::Infexion;
use yarra_games::{Cause, Ending, Player, Record};

/// Red's stack of five is next to a token of blue's; the player to move captures the other.
const HANGING: &str = "......./.b2....r1/......./...r5b1../......./..r1..b3./....... r 20";

fn champion() -> Box<dyn Agent> {
    Box::new(Pvs::<Infexion, _>::new(Reach::default(), PvsOptions { quiescence: 6, ..PvsOptions::SOUND }))
}

fn game(start: &str, moves: &[&str]) -> SavedGame {
    let record = Record::read("infexion", Some(start), moves.iter().copied()).expect("a game");
    SavedGame { ending: None, ..SavedGame::new(&record) }
}

fn analyst(agent: Box<dyn Agent>) -> Analyst {
    let limits = Limits { nodes: Some(4000), ..Limits::default() };
    Analyst::new(agent, &"champion".parse().expect("a spec"), limits, "infexion".parse().expect("a game"))
}

fn review(saved: &SavedGame) -> Review {
    let record = saved.record().expect("a game");
    analyst(champion()).review(saved, &record, &mut |_| ControlFlow::Continue(())).expect("a review")
}

#[test]
fn a_hanging_stack_is_a_blunder_with_the_capture_as_the_better_move() {
    let review = review(&game(HANGING, &["6-6", "3-4ul", "0-0"]));
    let blunder = &review.moves[0];
    assert_eq!((blunder.number, blunder.judgment), (21, Some(Judgment::Blunder)), "{blunder:?}");
    assert_eq!(review.show(blunder.better[0]), "3-3dr");
    assert_eq!(review.show(blunder.answer[0]), "3-4ul");
    let why = blunder.why.as_deref().expect("words");
    assert!(why.starts_with("red's chance falls from ") && why.contains(" plies it costs "), "{why}");
    // What one player lost the other gained, with its best move.
    assert_eq!(review.moves[1].judgment, Some(Judgment::Best));
    assert_eq!(review.moves[1].chance_before, blunder.chance_after.map(|chance| 1.0 - chance));
    assert_eq!(review.players.red.counts.blunder, 1);
    assert_eq!(review.players.blue.accuracy, Some(100.0));
    assert!(review.players.red.accuracy < Some(75.0), "{review:?}");
    assert!(review.is_complete && review.conclusion.ending.is_none());
}

#[test]
fn the_capture_itself_is_best() {
    let review = review(&game(HANGING, &["3-3dr"]));
    assert_eq!(review.moves[0].judgment, Some(Judgment::Best));
    assert_eq!(review.moves[0].loss, Some(0.0));
    assert!(review.moves[0].better.is_empty() && review.moves[0].why.is_none());
    assert_eq!(review.red_chances.len(), 2);
}

#[test]
fn moves_of_the_opening_are_not_judged() {
    let mut saved = game(HANGING, &["6-6", "3-4ul", "0-0"]);
    saved.openings = Some("random:2".to_owned());
    saved.times = vec![0.0, 0.0, 0.5];
    let review = review(&saved);
    assert!(review.moves[0].is_opening && review.moves[1].is_opening && !review.moves[2].is_opening);
    assert_eq!(review.moves[0].judgment, None);
    assert_eq!((review.players.red.n_judged, review.players.blue.n_judged), (1, 0));
    let time = review.players.red.time.expect("a time");
    assert_eq!((time.total, time.longest_move), (0.5, 23));
    assert_eq!((review.players.blue.time, review.players.blue.accuracy), (None, None));
}

#[test]
fn a_cancelled_review_has_judged_the_last_moves() {
    let saved = game(HANGING, &["6-6", "3-4ul", "0-0"]);
    let record = saved.record().expect("a game");
    let broken = analyst(champion()).review(&saved, &record, &mut |step| match step.n_done {
        ..2 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    let review = broken.expect("what there is");
    assert!(!review.is_complete);
    let judged: Vec<bool> = review.moves.iter().map(|m| m.judgment.is_some()).collect();
    assert_eq!(judged, [false, false, true]);
    assert_eq!(review.red_chances[..2], [None, None]);
    assert_eq!(review.moves.len(), 3);
    assert_eq!(review.n_examined, 2);
    let red = &review.players.red;
    assert_eq!((red.n_moves, red.n_judged), (2, 1));
    assert_eq!((review.players.blue.n_moves, review.players.blue.accuracy), (1, None));
}

#[test]
fn the_same_nodes_give_the_same_review() {
    let saved = game(HANGING, &["6-6", "3-4ul", "0-0", "3-3ur"]);
    assert_eq!(review(&saved).json(), review(&saved).json());
}

/// Plays the first legal move and scores it by a function.
struct Opinionated(fn(&Record) -> Option<Score>);

impl Agent for Opinionated {
    fn choose(
        &mut self,
        game: &Record,
        _: Limits,
        _: &mut yarra_engine::Watch<'_>,
    ) -> Result<Choice, AgentError> {
        Ok(Choice { score: (self.0)(game), ..Choice::from(game.legal_moves()[0]) })
    }
}

fn opinion(saved: &SavedGame, score: fn(&Record) -> Option<Score>) -> Review {
    let record = saved.record().expect("a game");
    let mut analyst = analyst(Box::new(Opinionated(score)));
    analyst.review(saved, &record, &mut |_| ControlFlow::Continue(())).expect("a review")
}

#[test]
fn the_better_move_is_searched_with_the_same_limits() {
    // The player to move always believes it is winning. After any move the opponent does, so all moves are equal.
    let review = opinion(&game(HANGING, &["6-6", "3-4ul", "0-0"]), |_| Some(Score::from_units(20.0)));
    for m in &review.moves {
        assert_eq!(m.judgment, Some(Judgment::Best), "{m:?}");
    }
}

#[test]
fn the_game_turns_where_the_winner_gets_ahead_for_good() {
    let mut saved = game(HANGING, &["6-6", "3-4ul", "0-0"]);
    saved.ending = Some(Ending::lost_by(Player::Red, Cause::Resignation));
    // Red is ahead before ply 22 and behind from then on. No move improves its own player's chance, so red's move
    // before it turned the game.
    let score = |game: &Record| {
        let red_units = if game.now().ply() < 22 { 3.0 } else { -3.0 };
        Some(Score::from_units(if game.now().ply().is_multiple_of(2) { red_units } else { -red_units }))
    };
    let review = opinion(&saved, score);
    assert_eq!(review.turning_point, Some(21));
    assert_eq!(review.moves[0].judgment, Some(Judgment::Blunder));
    assert!(
        review
            .conclusion
            .sentence
            .starts_with("Blue wins, not on the board: red resigned. On the board red had a chance of ")
    );
    saved.ending = Some(Ending::lost_by(Player::Blue, Cause::Resignation));
    assert_eq!(opinion(&saved, score).turning_point, None);
}

#[test]
fn an_agent_without_scores_cannot_review() {
    let saved = game(HANGING, &["6-6"]);
    let record = saved.record().expect("a game");
    let mut analyst = analyst(Box::new(Random::new(1)));
    let error = analyst.review(&saved, &record, &mut |_| ControlFlow::Continue(())).expect_err("no scores");
    assert_eq!(error.fault().unwrap().failure, Failure::Protocol);
    assert_eq!(error.to_string(), "champion gives no scores, and a review needs them");
}

#[test]
fn the_only_legal_move_is_best_whatever_its_result() {
    // There is room for one piece in the first column; all other gaps are single cells.
    let start = "\
.r.rrrrrrrr/.rrr.rrrrrr/.rrrrr.rrrr/.rrrrrrr.rr/rrrrrrrrrr./r.rrrrrrrrr/rrr.rrrrrrr/bbbbb.bbbbb/bbbbbbb.bbb/bbbbbbbbb.b/\
bbb.bbbbbbb r 40";
    let record = Record::read("tetress", Some(start), []).expect("a position");
    let moves = record.legal_moves();
    assert_eq!(moves.len(), 1);
    let mut played = record.clone();
    played.play(moves[0]);
    let saved = SavedGame::new(&played);
    let review = opinion(&saved, |_| Some(Score::from_units(50.0)));
    assert!(review.moves[0].is_forced);
    assert_eq!(review.moves[0].judgment, Some(Judgment::Best));
}

#[test]
fn every_ending_has_a_sentence() {
    let sentence = |winner: Option<Player>, cause: &str, said: Option<&str>| {
        let mut saved = game(HANGING, &["6-6"]);
        saved.ending = Some(Ending { winner, cause: Cause::from_name(cause) });
        saved.fault = said.map(|said| SavedFault {
            player: Player::Blue,
            position: String::new(),
            message: "no".to_owned(),
            said: Some(said.to_owned()),
            output: String::new(),
            at_start: false,
        });
        let record = saved.record().expect("a game");
        Conclusion::of(&saved, &record).sentence
    };
    let table = [
        ("time", "Red wins, not on the board: blue exceeded its time limit."),
        ("illegal_move", "Red wins, not on the board: blue played an illegal move."),
        ("crash", "Red wins, not on the board: blue crashed."),
        ("silence", "Red wins, not on the board: blue did not answer."),
        ("mutiny", "Red wins, not on the board: blue lost by mutiny."),
    ];
    for (reason, words) in table {
        assert_eq!(sentence(Some(Player::Red), reason, None), words);
    }
    let words = sentence(Some(Player::Red), "illegal_move", Some("9-9"));
    assert_eq!(words, "Red wins, not on the board: blue played 9-9, which is not legal.");
    assert_eq!(sentence(None, "agreement", None), "A draw (agreement).");

    let over = |spec, start, moves: &[&str]| {
        let record = Record::read(spec, Some(start), moves.iter().copied()).expect("a game");
        Conclusion::of(&SavedGame::new(&record), &record).sentence
    };
    let last = "......./......./......./...r2b1../......./......./....... r 20";
    assert_eq!(over("infexion", last, &["3-3dr"]), "Red wins: blue has no power left.");
    let chain = "..../rrr./bbb./.... r 6";
    let record = Record::read("hex:4", Some(chain), []).expect("a position");
    assert_eq!(Conclusion::of(&SavedGame::new(&record), &record).sentence, "The game is not over.");
}
