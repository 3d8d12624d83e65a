//! The report of a training run as a self-contained HTML page.

mod chart;

use std::fmt::Write as _;

use yarra_games::{Move, Position};

use crate::printable::printable;
use crate::svg::svg;

pub use chart::{Chart, Curve};

const STYLE: &str = include_str!("page.css");

/// What the report of a run shows.
#[derive(Default)]
pub struct Training {
    /// The heading.
    pub title: String,
    /// Names and values of what the run was given and what it has done.
    pub facts: Vec<(String, String)>,
    /// The curves.
    pub charts: Vec<Chart>,
    /// Results against opponents: the header and the rows.
    pub results: Table,
    /// The openings that it came to prefer.
    pub openings: Table,
    /// What the net says about positions.
    pub samples: Vec<Sample>,
    /// What a reader should know, with the round.
    pub remarks: Vec<String>,
}

/// A table of texts.
#[derive(Default)]
pub struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// What a net says about a position.
pub struct Sample {
    /// The position.
    pub pos: Box<dyn Position>,
    /// What it is.
    pub caption: String,
    /// The expected result for the player to move, from -1 to 1.
    pub value: f64,
    /// The likeliest moves with their probabilities, best first; empty if the net has no policy.
    pub moves: Vec<(Move, f64)>,
}

/// The page. It loads nothing, so it can be shared and opened as a local file.
pub fn training_page(run: &Training) -> String {
    let title = escaped(&run.title);
    let mut body = String::new();
    let _ = writeln!(body, "<h1>{title}</h1>");
    let _ = writeln!(body, "<dl>");
    for (name, value) in &run.facts {
        let _ = writeln!(body, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
    }
    let _ = writeln!(body, "</dl>\n<section class=\"charts\">");
    for chart in &run.charts {
        body.push_str(&chart.html());
    }
    let _ = writeln!(body, "</section>");
    for (heading, table) in
        [("Results against named opponents", &run.results), ("Openings it came to prefer", &run.openings)]
    {
        if !table.rows.is_empty() {
            let _ = writeln!(body, "<h2>{heading}</h2>\n{}", table.html());
        }
    }
    if !run.samples.is_empty() {
        let _ = writeln!(body, "<h2>What the net says, without search</h2>\n<section class=\"samples\">");
        for sample in &run.samples {
            body.push_str(&sample.html());
        }
        let _ = writeln!(body, "</section>");
    }
    if !run.remarks.is_empty() {
        let _ = writeln!(body, "<h2>Remarks</h2>\n<ul>");
        for remark in &run.remarks {
            let _ = writeln!(body, "<li>{}</li>", escaped(remark));
        }
        let _ = writeln!(body, "</ul>");
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

impl Table {
    fn html(&self) -> String {
        let row = |cells: &[String], tag: &str| {
            let cells: String =
                cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
            format!("<tr>{cells}</tr>\n")
        };
        let rows: String = self.rows.iter().map(|cells| row(cells, "td")).collect();
        format!("<div class=\"wide\"><table>\n{}{rows}</table></div>\n", row(&self.header, "th"))
    }
}

impl Sample {
    fn html(&self) -> String {
        let pos = &*self.pos;
        let chance = 50.0 * (1.0 + self.value.clamp(-1.0, 1.0));
        let mut text = format!("<figure>{}<figcaption>{}", svg(pos, None), escaped(&self.caption));
        let _ = write!(text, "; {} to move, its chance to win {chance:.0} %</figcaption>", pos.turn());
        if !self.moves.is_empty() {
            text.push_str("<table>\n");
            for &(m, probability) in &self.moves {
                let (name, share) = (escaped(&pos.show_move(m)), 100.0 * probability);
                let bar = format!("<i style=\"width:{:.1}%\"></i>", share.clamp(0.0, 100.0));
                let _ = writeln!(
                    text,
                    "<tr><td>{name}</td><td>{share:.1} %</td><td class=\"bar\">{bar}</td></tr>"
                );
            }
            text.push_str("</table>");
        }
        text + "</figure>\n"
    }
}

/// Names come from files and from the command line.
fn escaped(text: &str) -> String {
    let text = printable(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_all_parts_and_nothing_from_elsewhere() {
        let pos = yarra_games::start("cachex:3").expect("a game");
        let moves = vec![(pos.read_move("0-1").expect("a move"), 0.75)];
        let table = || Table { header: vec!["opponent".into()], rows: vec![vec!["<b>random".into()]] };
        let run = Training {
            title: "zero <for> cachex".into(),
            facts: vec![("seed".into(), "7".into())],
            charts: vec![Chart::default()],
            results: table(),
            openings: table(),
            samples: vec![Sample { pos, caption: "the start".into(), value: 0.5, moves }],
            remarks: vec!["a net was discarded".into()],
        };
        let page = training_page(&run);
        for part in
            ["zero &lt;for&gt;", "&lt;b&gt;random", "75 %", "75.0 %", "0-1", "discarded", "<svg", "seed"]
        {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("<b>") && !page.contains("src=") && !page.contains("href="));
    }
}
