//! What `help` says at the prompt.

/// The commands of the prompt.
pub const COMMANDS: &str = "\
Commands:
  MOVE          make a move
  moves [CELL]  list the legal moves, or those that name a cell
  board         draw the board
  undo          take back your last move
  resign        give up the game
  save FILE     write the game to a file
  load FILE     go on with the last game of a file
  help          this text
  quit          leave (Ctrl-D does too)";

/// How moves of a game are written.
pub fn notation(spec: &str) -> &'static str {
    match spec.split(':').next() {
        Some("infexion") => {
            "\
A cell is `r-q`, for instance 3-4; the labels on the edges are r and q.
  3-4           spawn: a new stack on an empty cell, while the total power is below 49
  3-4ur         spread your stack in a direction: u d ur dr ul dl (up, down, up right …)"
        }
        Some("tetress") => {
            "\
A cell is `row-column`, for instance 3-10; row 0 is on top.
  3-3,3-4,4-3,4-4   four empty cells that form a tetromino, in any order; the edges wrap around.
                    One of them must touch a token of yours, except with your first move."
        }
        Some("cachex") => {
            "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the right.
  3-4           a stone on an empty cell; red's first may not be on the center
  steal         as blue's first move: take over red's stone, mirrored
Red joins bottom and top, blue joins left and right."
        }
        _ => {
            "\
A cell is `r-q`, for instance 3-4; row 0 is at the bottom, columns lean to the right.
  3-4           a stone on an empty cell
Red joins bottom and top, blue joins left and right."
        }
    }
}
