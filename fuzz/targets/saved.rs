//! Parsing a saved game never panics, and a game with legal moves survives saving and parsing again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_files::SavedGame;

fuzz_target!(|text: &str| {
    let Ok(saved) = SavedGame::from_line(text) else { return };
    assert_eq!(SavedGame::from_line(&saved.to_line()).unwrap(), saved);
    let Ok(record) = saved.record() else { return };
    let again = SavedGame::new(&record);
    let record_again = SavedGame::from_line(&again.to_line()).unwrap().record().unwrap();
    assert_eq!(record_again.now().to_string(), record.now().to_string());
    assert_eq!(record_again.outcome(), record.outcome());
});
