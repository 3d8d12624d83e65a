//! What the last move did to each cell.

use yarra_games::{Move, Position};

/// The last move, with the position before it.
pub type LastMove<'a> = (&'a dyn Position, Move);

/// What the last move did to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It put something there or changed what was there.
    Placed,
    /// It emptied the cell.
    Emptied,
}

/// What a move did to each cell, in the order of [`Position::cells`].
///
/// A cell of the move that is as before has been filled and emptied at once, by a full line.
pub fn marks(pos: &dyn Position, last: Option<LastMove<'_>>) -> Vec<Option<Mark>> {
    let cells = pos.cells();
    let Some((before, m)) = last else { return vec![None; cells.len()] };
    let own = before.move_cells(m);
    let mark = |(idx, (now, old))| match (now == old, own.contains(&idx)) {
        (true, false) => None,
        (true, true) => Some(Mark::Placed),
        (false, _) if cells[idx].owner.is_none() => Some(Mark::Emptied),
        (false, _) => Some(Mark::Placed),
    };
    cells.iter().zip(before.cells().iter()).enumerate().map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yarra_games::read;

    /// The marks of a move, as `o` for placed and `x` for emptied, row by row.
    fn marked(game: &str, position: &str, m: &str) -> String {
        let before = read(game, position).expect("a position");
        let m = before.read_move(m).expect("a move");
        let mut pos = before.boxed();
        pos.play(m);
        let letter = |mark| match mark {
            None => '.',
            Some(Mark::Placed) => 'o',
            Some(Mark::Emptied) => 'x',
        };
        let letters: Vec<char> = marks(&*pos, Some((&*before, m))).into_iter().map(letter).collect();
        letters
            .chunks(pos.size().into())
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    }

    #[test]
    fn a_piece_that_clears_its_line_is_marked_whole() {
        let empty = "...........";
        let rest = [empty; 9].join("/");
        // The piece stands on end: its first cell fills row 0 and goes with it.
        let before = format!("rbrbrbrbrb./{empty}/{rest} r 6");
        let found = marked("tetress", &before, "0-10,1-10,2-10,3-10");
        assert_eq!(
            found,
            format!("xxxxxxxxxxo/..........o/..........o/..........o/{}", [empty; 7].join("/"))
        );
    }

    #[test]
    fn in_other_games_changed_cells_are_marked() {
        let empty = ".......";
        let before = format!("{}/r2b1...../{} r 4", [empty; 3].join("/"), [empty; 3].join("/"));
        let found = marked("infexion", &before, "3-0dr");
        assert_eq!(found.split('/').nth(3), Some("xoo...."), "{found}");
        assert_eq!(marked("cachex:3", ".r./.../... b 1", "steal"), ".x./o../...");
    }
}
