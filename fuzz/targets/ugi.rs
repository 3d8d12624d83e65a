//! Parsing the lines of runners and engines never panics; a parsed line prints as one line that parses the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_arena::ugi::{Command, Reply};
use yarra_games::GAMES;

fuzz_target!(|text: &str| {
    if let Ok(Some(command)) = Command::read(text) {
        let line = command.to_string();
        assert!(!line.contains('\n'), "{line:?}");
        assert_eq!(Command::read(&line), Ok(Some(command.clone())), "{line:?}");
        if let Command::Go(go) = command {
            for game in GAMES {
                let start = yarra_games::start(game.name).expect("a listed game");
                let limits = go.limits(&*start);
                assert!(
                    limits.hard_time().is_none_or(|hard| limits.move_time.is_none_or(|time| hard <= time))
                );
            }
        }
    }
    if let Ok(Some(reply)) = Reply::read(text) {
        let line = reply.to_string();
        assert!(!line.contains('\n'), "{line:?}");
        assert_eq!(Reply::read(&line), Ok(Some(reply)), "{line:?}");
    }
});
