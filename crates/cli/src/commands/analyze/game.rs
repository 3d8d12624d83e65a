//! The review of a game.

use std::io::Write;

use anyhow::bail;
use yarra_arena::review::{Analyst, Step};
use yarra_engine::Stop;
use yarra_games::{Record, SavedGame};

use super::{AnalyzeArgs, Looker, TIME_IN_REVIEW, looker, page, text};
use crate::draw::Style;
use crate::files::Draft;
use crate::interrupt;
use crate::progress::Progress;

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
        bail!("--lines goes with a position, and this is a game: --ply chooses a position of it");
    }
    let Looker { agent, spec, limits } = looker(args, record.now(), TIME_IN_REVIEW)?;
    let stop = interrupt::flag()?;
    let draft = args.html.as_deref().map(Draft::begin).transpose()?;
    let mut progress = Progress::new("analyze");
    let mut analyst = Analyst::new(agent, &spec, limits, &record.start().spec());
    let review = analyst.review(saved, record, &mut |step: &Step<'_>| {
        let fraction = step.n_done as f64 / step.n_all as f64;
        progress.show(fraction.max(1e-3), || format!("{} of {} positions", step.n_done, step.n_all));
        stop.flow()
    })?;
    drop(progress);
    if let Some(draft) = draft {
        draft.finish(&page::page(&review, record))?;
    }
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&review)?)?,
        false => write!(out, "{}", text::text(&review, Style::new(args.color)))?,
    }
    if let Some(path) = args.html.as_ref().filter(|_| !args.json) {
        writeln!(out, "\n{} has the whole review: open it in a browser", path.display())?;
    }
    Ok(stop)
}
