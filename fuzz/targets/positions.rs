//! Parsing a position never panics; a parsed position prints as the text and can be played on.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_games::{GAMES, Game, MoveList, Work, read, with_game};

struct PlayOn;

impl Work for PlayOn {
    type Output = ();

    fn run<G: Game>(self, pos: &G) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        assert_eq!(moves.len(), pos.n_legal_moves());
        assert_eq!(moves.is_empty(), pos.outcome().is_some(), "only finished games have no moves");
        assert_eq!(pos.random_move(&mut fastrand::Rng::with_seed(1)).is_some(), !moves.is_empty());
        for m in moves {
            let mut next = *pos;
            next.play(m);
            assert_eq!(G::read(&next.to_string()).as_ref(), Ok(&next));
            assert_eq!(pos.read_move(&pos.show_move(m)), Ok(m));
        }
        for symmetry in [1, pos.n_symmetries() - 1] {
            let image = pos.image(symmetry);
            assert_eq!(image.n_legal_moves(), pos.n_legal_moves());
            assert_eq!(G::read(&image.to_string()).as_ref(), Ok(&image));
        }
    }
}

fuzz_target!(|text: &str| {
    for game in GAMES {
        if let Ok(pos) = read(game.name, text) {
            assert_eq!(pos.to_string(), text);
            with_game(&*pos, PlayOn);
        }
    }
});
