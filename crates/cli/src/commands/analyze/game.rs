//! The review of a game.

use std::io::Write;

use anyhow::bail;
use yarra_arena::review::{Analyst, Step};
use yarra_draw::page;
use yarra_engine::Stop;
use yarra_files::{Draft, SavedGame, check_is_new};
use yarra_games::Record;

use super::{AnalyzeArgs, Searcher, TIME_IN_REVIEW, searcher, text};
use crate::interrupt;
use crate::progress::Progress;
use crate::words::file_name;

pub fn run(
    args: &AnalyzeArgs,
    saved: &SavedGame,
    record: &Record,
    out: &mut impl Write,
) -> anyhow::Result<Stop> {
    if record.moves().is_empty() {
        bail!("expected a game with moves, found none");
    }
    if args.lines.is_some() {
        bail!("--lines needs a position, and this is a game: choose a position with --ply");
    }
    let Searcher { agent, spec, limits } = searcher(args, record.now(), TIME_IN_REVIEW)?;
    let stop = interrupt::flag()?;
    if let Some(path) = args.html.as_deref().filter(|_| !args.force) {
        check_is_new(path, "choose another file, or overwrite it with --force")?;
    }
    let draft = args.html.as_deref().map(Draft::begin).transpose()?;
    let mut progress = Progress::new("analyze");
    let mut analyst = Analyst::new(agent, &spec, limits, record.start().spec());
    let review = analyst.review(saved, record, &mut |step: &Step<'_>| {
        let fraction = step.n_done as f64 / step.n_all as f64;
        progress.show(fraction.max(1e-3), || format!("{} of {} positions", step.n_done, step.n_all));
        stop.flow()
    })?;
    drop(progress);
    if let Some(draft) = draft {
        draft.finish(page(&review))?;
    }
    match args.json {
        true => writeln!(out, "{}", review.json())?,
        false => write!(out, "{}", text::text(&review, args.color.style()))?,
    }
    if let Some(path) = args.html.as_ref().filter(|_| !args.json) {
        let part = if review.is_complete { "" } else { " so far" };
        writeln!(out, "\nwrote the review{part} to {}: open it in a browser", file_name(path))?;
    }
    Ok(stop)
}
