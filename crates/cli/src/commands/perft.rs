//! `yarra perft`

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};
use yarra_engine::Stop;
use yarra_games::perft::{Leaves, divide};
use yarra_games::{Move, Record};

use crate::args::StartArgs;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::{Progress, rate};
use crate::words::plural;

/// Count the sequences of legal moves of a given length.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra perft infexion 3
  yarra perft cachex:5 4 --moves \"0-1 steal\" --divide")]
pub struct PerftArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    game: String,
    /// The length of the sequences.
    depth: u32,
    #[command(flatten)]
    start: StartArgs,
    /// Print the count for each first move.
    #[arg(long)]
    divide: bool,
    /// Make the last moves instead of only counting them: slower, but exercises more of the rules.
    #[arg(long)]
    made: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let record = args.start.record(&args.game)?;
    let stop = interrupt::flag()?;
    let leaves = if args.made { Leaves::Made } else { Leaves::Counted };
    let mut count = Count { leaves, stop: &stop, n_nodes: 0, progress: Progress::new("perft") };
    let mut parts = Vec::new();
    let flow = count.first_moves(&record, args.depth, &mut parts);
    let (n_nodes, time) = (count.n_nodes, count.progress.elapsed());
    // Clears the bar before printing the result.
    drop(count);
    let speed = format!("{:.3} s, {}", time.as_secs_f64(), rate(n_nodes, time));
    if args.json && flow.is_continue() {
        writeln!(out, "{}", as_json(args, &record, &parts, (n_nodes, time)))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.divide && !args.json {
        for &(m, n) in &parts {
            writeln!(out, "{}: {n}", record.now().show_move(m))?;
        }
    }
    if flow.is_break() {
        out.flush()?;
        let done = plural(parts.len(), "first move");
        writeln!(io::stderr(), "stopped: {n_nodes} nodes counted so far, {done} done, {speed}")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    writeln!(out, "time: {speed}\nnodes: {n_nodes}")?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(args: &PerftArgs, record: &Record, parts: &[(Move, u64)], sum: (u64, Duration)) -> Value {
    let mut answer = json!({
        "game": record.now().spec().to_string(),
        "position": record.now().to_string(),
        "depth": args.depth,
        "nodes": sum.0,
        "seconds": sum.1.as_secs_f64(),
    });
    if args.divide {
        let part = |&(m, n): &(Move, u64)| json!({ "move": record.now().show_move(m), "nodes": n });
        answer["divide"] = parts.iter().map(part).collect();
    }
    answer
}

/// Up to this depth one call counts without progress: a fraction of a second in every game.
const GRAIN: u32 = 3;

/// A count with progress that can be stopped.
struct Count<'a> {
    leaves: Leaves,
    stop: &'a Stop,
    n_nodes: u64,
    progress: Progress,
}

impl Count<'_> {
    /// Counts for each first move. If stopped, the unfinished move counts only in the total.
    fn first_moves(&mut self, record: &Record, depth: u32, parts: &mut Vec<(Move, u64)>) -> ControlFlow<()> {
        if depth == 0 {
            self.n_nodes = 1;
            return ControlFlow::Continue(());
        }
        let moves = record.legal_moves();
        for (n_done, &m) in moves.iter().enumerate() {
            let n_before = self.n_nodes;
            let share = Share::WHOLE.part(n_done, moves.len());
            self.below(&after(record, m), depth - 1, share)?;
            parts.push((m, self.n_nodes - n_before));
        }
        ControlFlow::Continue(())
    }

    fn below(&mut self, record: &Record, depth: u32, share: Share) -> ControlFlow<()> {
        if depth == 0 {
            self.n_nodes += 1;
            return ControlFlow::Continue(());
        }
        if depth <= GRAIN {
            let (leaves, mut n_done) = (self.leaves, 0);
            let n_moves = record.now().n_legal_moves();
            return divide(record, depth, leaves, &mut |_, n| {
                self.n_nodes += n;
                n_done += 1;
                self.report(share.part(n_done, n_moves))
            });
        }
        let moves = record.legal_moves();
        for (n_done, &m) in moves.iter().enumerate() {
            let share = share.part(n_done, moves.len());
            self.below(&after(record, m), depth - 1, share)?;
            // All games may end before that depth.
            self.report(share)?;
        }
        ControlFlow::Continue(())
    }

    fn report(&mut self, share: Share) -> ControlFlow<()> {
        let (n_nodes, time) = (self.n_nodes, self.progress.elapsed());
        self.progress.show(share.begin, || format!("{n_nodes} nodes, {}", rate(n_nodes, time)));
        self.stop.flow()
    }
}

/// A part of the work, assuming equal work for every move.
#[derive(Clone, Copy)]
struct Share {
    begin: f64,
    width: f64,
}

impl Share {
    const WHOLE: Share = Share { begin: 0.0, width: 1.0 };

    fn part(self, idx: usize, n_parts: usize) -> Share {
        let width = self.width / n_parts as f64;
        Share { begin: self.begin + idx as f64 * width, width }
    }
}

fn after(record: &Record, m: Move) -> Record {
    let mut next = record.clone();
    next.play(m);
    next
}
