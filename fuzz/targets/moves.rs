//! Parsing a move never panics, whether strictly or as people type it; a parsed move is legal and prints as the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_games::{MoveList, start};

fuzz_target!(|text: &str| {
    for spec in ["infexion", "tetress", "cachex:3", "cachex:15", "hex:8", "hex:11"] {
        let mut pos = start(spec).unwrap();
        for _ in 0..2 {
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            let typed = pos.read_typed(text);
            assert!(
                typed.as_ref().is_ok_and(|m| moves.contains(m))
                    || typed.is_err_and(|words| !words.is_empty())
            );
            let Ok(m) = pos.read_move(text) else { break };
            assert_eq!(pos.read_typed(text), Ok(m));
            assert!(moves.contains(&m));
            // The cells of a piece may be given in any order; all other moves have one notation.
            let shown = pos.show_move(m);
            assert!(shown == text || shown.len() == text.len() && spec == "tetress");
            assert_eq!(pos.read_move(&shown), Ok(m));
            pos.play(m);
        }
    }
});
