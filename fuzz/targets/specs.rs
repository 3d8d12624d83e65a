//! Parsing a game's name and size never panics, and the start position has that spec.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_games::{GameSpec, find, read};

fuzz_target!(|text: &str| {
    let Ok((info, size)) = find(text) else { return assert!(text.parse::<GameSpec>().is_err()) };
    let spec: GameSpec = text.parse().unwrap();
    assert_eq!(spec.size(), size.unwrap_or(info.default_size));
    assert!(info.sizes.contains(&spec.size()));
    assert_eq!(spec.to_string().parse(), Ok(spec));
    let pos = spec.start();
    assert_eq!(pos.spec(), spec);
    assert_eq!(read(&spec.to_string(), &pos.to_string()).unwrap().to_string(), pos.to_string());
});
