//! The text of `help` at the prompt.

use yarra_games::Record;

/// The commands of the prompt with what follows them, and what they do.
pub const COMMANDS: [(&str, &str, &str); 12] = [
    ("moves", "[CELL]", "list the legal moves, or those that contain a cell"),
    ("hint", "", "suggest a move"),
    ("board", "", "draw the board with coordinates, and write its position"),
    ("undo", "", "take back your last move"),
    ("resign", "", "resign the game"),
    ("new", "[COLOR]", "start a new game, with colors swapped or as red or blue"),
    ("analyze", "[FILE]", "review the game; FILE gets it as an HTML page"),
    ("save", "FILE", "write the game to a new file"),
    ("save!", "FILE", "the same, but overwrite the file"),
    ("load", "FILE", "continue the last game of a file"),
    ("help", "", "show this text"),
    ("quit", "", "quit (also Ctrl-D)"),
];

/// The rules of a game, how its moves are written, and the commands.
pub fn text(game: &Record) -> String {
    let info = game.start().info();
    let mut text = format!("{}\n\n{}\n", info.rules, info.notation);
    let examples = examples(game);
    if !examples.is_empty() {
        text += &format!("Legal now, for example: {}\n", examples.join(" and "));
    }
    text +=
        "Blanks, commas, brackets and capitals do not matter: (3, 4) is 3-4.\n\nCommands, beside moves:\n";
    for (name, rest, about) in COMMANDS {
        text += &format!("  {:<16}{about}\n", format!("{name} {rest}"));
    }
    text
}

/// Moves of different kinds that are legal now: the kinds have different numbers.
pub fn examples(game: &Record) -> Vec<String> {
    let moves = game.legal_moves();
    let mut chosen: Vec<_> = [moves.get(moves.len() / 3), moves.last()].into_iter().flatten().collect();
    chosen.dedup();
    chosen.into_iter().map(|&m| game.now().show_move(m)).collect()
}
