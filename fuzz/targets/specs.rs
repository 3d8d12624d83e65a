//! Reading a game's name and size never panics, and the start position knows its spec.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_games::{find, read, start};

fuzz_target!(|text: &str| {
    let Ok((game, size)) = find(text) else { return assert!(start(text).is_err()) };
    assert!(game.sizes.contains(&size));
    let pos = start(text).unwrap();
    assert_eq!(find(&pos.spec()).unwrap().1, size);
    assert_eq!(read(&pos.spec(), &pos.to_string()).unwrap().to_string(), pos.to_string());
});
