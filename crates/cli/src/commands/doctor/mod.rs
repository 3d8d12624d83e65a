//! `yarra doctor`

mod machine;
mod show;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::ColorChoice;
use yarra_arena::doctor::{Check, Exam, Group, Report, Status};
use yarra_arena::foreign::{Host, package_of};
use yarra_engine::{AgentKind, AgentSpec, Limits};
use yarra_games::{Position, start};

use super::match_::seat;
use crate::draw::Style;
use crate::host::HostArgs;
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use machine::Machine;
use show::Patient;

/// Examine a course agent before the course does, or this machine.
///
/// With a game and an agent: is it imported, are its moves legal at positions of all phases and both colors,
/// does it survive whole games, nearly blocked and near the turn limit, does it keep the course's limits? Says
/// what was found and what to mend. Exits with 0 if the agent is ready and with 1 if not.
///
/// Alone: which layers keep strangers' agents in their place on this machine. Exits with 1 if some are missing
/// that matter.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra doctor
  yarra doctor tetress python:my-agent
  yarra doctor cachex:9 python:.:our_team --games 2 --json
  yarra doctor infexion python:my-agent --python venv/bin/python --time 60s

A fast agent takes about a minute, a slow one as long as its games. --games 0 --positions 0 is a short look.")]
pub struct DoctorArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    #[arg(requires = "agent")]
    game: Option<String>,
    /// The agent: `python:DIR`, where DIR holds its package, or `python:DIR:package:Class`.
    agent: Option<AgentSpec>,
    /// How many whole games, against a random mover, a greedy one and one that looks ahead.
    #[arg(long, value_name = "N", default_value_t = 6)]
    games: u32,
    /// How many positions of random games, beside the special ones.
    #[arg(long, value_name = "N", default_value_t = 12)]
    positions: usize,
    /// Where games and positions come from.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Whether to color the boards.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
    #[command(flatten)]
    host: HostArgs,
}

/// Whom agents play whole games against: fixed depths, so that games can be repeated.
const OPPONENTS: [&str; 3] = ["random", "greedy", "negamax:depth=2"];

pub fn run(args: &DoctorArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let host = args.host.host()?;
    let (Some(game), Some(agent)) = (&args.game, &args.agent) else {
        let machine = Machine::look(&host);
        match args.json {
            true => writeln!(out, "{}", machine.json())?,
            false => write!(out, "{machine}")?,
        }
        return Ok(if machine.is_tight() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    };
    let start = start(game)?;
    if !agent.is_python() {
        bail!("expected an agent of the course, python:DIR, found {:?}", agent.as_str());
    }
    let report = match missing_package(agent) {
        Some(check) => Some(Report { checks: vec![check], cut_short: None }),
        None => examine(args, agent, &*start, &host)?,
    };
    let Some(report) = report else {
        writeln!(io::stderr(), "stopped: the examination is not complete")?;
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let patient = Patient { game, agent: agent.as_str(), seed: args.seed, options: &args.host.words() };
    match args.json {
        true => writeln!(out, "{}", patient.json(&report))?,
        false => write!(out, "{}", patient.text(&report, Style::new(args.color)))?,
    }
    Ok(if report.is_ready() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn examine(
    args: &DoctorArgs,
    agent: &AgentSpec,
    start: &dyn Position,
    host: &Host,
) -> anyhow::Result<Option<Report>> {
    let opponents = OPPONENTS.map(|spec| seat(&spec.parse()?, start, Limits::default(), host));
    let exam = Exam {
        guest: host.guest(agent, start)?,
        start,
        opponents: opponents.into_iter().collect::<anyhow::Result<_>>()?,
        n_games: args.games,
        n_positions: args.positions,
        seed: args.seed,
        stop: interrupt::flag()?,
    };
    let mut progress = Progress::new("doctor");
    Ok(exam.run(&mut |fraction, what| progress.show(fraction, || what.to_owned())))
}

/// A folder without a package is a mistake of the agent's, not of the command line.
fn missing_package(agent: &AgentSpec) -> Option<Check> {
    let AgentKind::Python { folder, package: None, class: None } = agent.kind() else { return None };
    if !folder.is_dir() {
        return None;
    }
    let found = package_of(folder).err()?;
    let mend = "put the agent into a folder with an __init__.py, or name its package: python:DIR:PACKAGE";
    let (group, name, status) = (Group::Package, "package".to_owned(), Status::Failed);
    Some(Check { group, name, status, found, mend: Some(mend.to_owned()), evidence: None })
}
