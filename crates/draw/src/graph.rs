//! A text graph of the winning chances over the moves of a game.

use std::fmt::Write as _;

use anstyle::AnsiColor;

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// ASCII.
    Plain,
    /// Unicode blocks.
    Blocks,
    /// Unicode blocks, red's chance in red above blue's in blue.
    Color,
}

const HEIGHT: usize = 6;
const WIDTH: usize = 72;
/// Short games are drawn wider, up to this.
const WIDEST_MOVE: usize = 4;
const UNKNOWN: char = '.';
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The chances of one player, from 0 to 1, in successive positions, with marks below some of them and labels for the
/// first and the last. Positions without a chance are dotted. There must be at least one position. Positions share a
/// column if there are more of them than columns.
pub fn graph(chances: &[Option<f64>], marks: &[(usize, char)], ends: [&str; 2], ink: Ink) -> String {
    let n = chances.len();
    let width = if WIDTH < n { WIDTH } else { n * (WIDTH / n).min(WIDEST_MOVE) };
    let positions = |x: usize| {
        let (begin, end) = (x * n / width, (x + 1) * n / width);
        begin..end.max(begin + 1)
    };
    let column = |x: usize| {
        let known: Vec<f64> = chances[positions(x)].iter().copied().flatten().collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let columns: Vec<Option<f64>> = (0..width).map(column).collect();
    let mut text = String::new();
    for row in (0..HEIGHT).rev() {
        let label = match row {
            _ if row == HEIGHT - 1 => "100 %",
            _ if row == HEIGHT / 2 => "50 %",
            0 => "0 %",
            _ => "",
        };
        let parts = columns.chunk_by(|a, b| a.is_some() == b.is_some()).map(|part| {
            let line: String = part.iter().map(|&chance| letter(chance, row, ink)).collect();
            if ink == Ink::Color && part[0].is_some() { in_color(&line) } else { line }
        });
        let _ = writeln!(text, "{label:>5} |{}", parts.collect::<String>().trim_end());
    }
    if !marks.is_empty() {
        let mark = |x: usize| {
            let found = marks.iter().find(|(position, _)| positions(x).contains(position));
            let is_first = 0 == x || positions(x - 1) != positions(x);
            found.filter(|_| is_first).map_or(' ', |(_, mark)| *mark)
        };
        let line: String = (0..width).map(mark).collect();
        let _ = writeln!(text, "{:>5}  {}", "", line.trim_end());
    }
    let [first, last] = ends;
    let room = width.saturating_sub(first.len() + 1);
    let _ = writeln!(text, "{:>5}  {first} {last:>room$}", "");
    text
}

/// The character of one column in one row; row 0 is the lowest.
fn letter(chance: Option<f64>, row: usize, ink: Ink) -> char {
    let Some(chance) = chance else { return UNKNOWN };
    let filled = chance * HEIGHT as f64 - row as f64;
    match ink {
        Ink::Plain => {
            if 0.5 <= filled {
                '#'
            } else {
                ' '
            }
        }
        Ink::Blocks | Ink::Color => BLOCKS[(8.0 * filled).round().clamp(0.0, 8.0) as usize],
    }
}

fn in_color(line: &str) -> String {
    let style = AnsiColor::Red.on(AnsiColor::Blue);
    format!("{style}{line}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rising_chance_is_a_staircase() {
        let chances: Vec<Option<f64>> = (0..=6).map(|n| Some(f64::from(n) / 6.0)).collect();
        // Marks are below the first column of their position.
        let picture = "\
100 % |                        ####
      |                    ########
 50 % |                ############
      |            ################
      |        ####################
  0 % |    ########################
           ?                   x
       start                 move 6
";
        assert_eq!(graph(&chances, &[(1, '?'), (6, 'x')], ["start", "move 6"], Ink::Plain), picture);
    }

    #[test]
    fn blocks_show_eighths_and_unknown_chances_are_dotted() {
        let text = graph(&[Some(0.5 + 1.0 / 48.0), None, Some(1.0)], &[], ["", ""], Ink::Blocks);
        let rows: Vec<&str> = text.lines().collect();
        assert_eq!(rows[2], " 50 % |▁▁▁▁....████");
        assert_eq!(rows[5], "  0 % |████....████");
        // Nobody's color: what was not examined is lost for nobody.
        let text = graph(&[None, Some(1.0)], &[], ["", ""], Ink::Color);
        assert!(text.starts_with("100 % |....\u{1b}[31m\u{1b}[44m████\u{1b}[0m\n"), "{text:?}");
    }

    #[test]
    fn long_games_share_columns() {
        let chances = vec![Some(1.0); 343];
        let text = graph(&chances, &[(342, 'x')], ["start", "move 342"], Ink::Plain);
        assert_eq!(text.lines().next().map(str::len), Some("100 % |".len() + WIDTH));
        assert!(text.contains(&format!("\n{:>1$}\n", 'x', "100 % |".len() + WIDTH)), "{text}");
        assert!(text.ends_with(" move 342\n"), "{text}");
        assert!(graph(&chances, &[], ["", ""], Ink::Color).contains("\u{1b}[31m\u{1b}[44m"));
    }
}
