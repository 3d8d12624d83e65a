//! `yarra doctor`

mod machine;
mod show;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use yarra_catalog::{Host, seat};
use yarra_engine::{AgentKind, AgentSpec, Limits, SpecError};
use yarra_games::{GameSpec, Position};
use yarra_guests::doctor::{Check, Exam, Group, Opponent, Report, Status};
use yarra_guests::package_of;

use crate::args::{ColorArgs, HostArgs};
use crate::interrupt::{self, INTERRUPTED};
use crate::progress::Progress;
use machine::Machine;
use show::Patient;

/// Check a course agent before submission, or this machine's sandbox.
///
/// With a game and an agent, checks that the agent can be imported, that its moves are legal in all phases of the game
/// and for both colors, that it survives complete games, nearly blocked boards and the turn limit, and that it stays
/// within the course's limits. Reports each problem and how to fix it. Exits with 0 if the agent is ready and with 1 if
/// not.
///
/// Without arguments, reports which sandbox layers this machine supports. Exits with 1 if an important one is missing.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  yarra doctor
  yarra doctor tetress python:my-agent
  yarra doctor cachex:9 python:.:our_team --games 2 --json
  yarra doctor infexion python:my-agent --python venv/bin/python --time 60s

A fast agent takes about a minute, a slow one as long as its games. For a quick check, use --games 0 --positions 0.")]
pub struct DoctorArgs {
    /// The game, for instance `infexion` or `cachex:9`.
    #[arg(requires = "agent")]
    game: Option<String>,
    /// The agent: `python:DIR`, where DIR contains its package, or `python:DIR:package:Class`.
    agent: Option<String>,
    /// Number of complete games, against a random, a greedy and a searching opponent.
    #[arg(long, value_name = "N", default_value_t = 6)]
    games: u32,
    /// Number of positions from random games, in addition to the special ones.
    #[arg(long, value_name = "N", default_value_t = 12)]
    positions: usize,
    /// Seed of the games and positions.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    host: HostArgs,
}

/// The opponents in complete games. Their depths are fixed, so that games can be repeated.
const OPPONENTS: [&str; 3] = ["random", "greedy", "negamax:depth=2"];

pub fn run(args: &DoctorArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let host = args.host.host()?;
    let (Some(game), Some(agent)) = (&args.game, &args.agent) else {
        let machine = Machine::look(&host)?;
        match args.json {
            true => writeln!(out, "{}", machine.json())?,
            false => write!(out, "{machine}")?,
        }
        return Ok(if machine.is_tight() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    };
    let game: GameSpec = game.parse()?;
    let agent: AgentSpec = agent.parse()?;
    if !agent.is_python() {
        bail!("expected a course agent, python:DIR, found {:?}", agent.as_str());
    }
    let report = match missing_package(&agent) {
        Some(check) => Some(Report { checks: vec![check], ..Report::default() }),
        None => examine(args, &agent, &*game.start(), &host)?,
    };
    let Some(report) = report else {
        writeln!(io::stderr(), "stopped: the checks are not complete")?;
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let patient = Patient { game, agent: &agent, seed: args.seed, options: &args.host.words() };
    match args.json {
        true => writeln!(out, "{}", patient.json(&report))?,
        false => write!(out, "{}", patient.text(&report, args.color.style()))?,
    }
    Ok(if report.is_ready() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn examine(
    args: &DoctorArgs,
    agent: &AgentSpec,
    start: &dyn Position,
    host: &Host,
) -> anyhow::Result<Option<Report>> {
    let opponents = OPPONENTS.map(|text| {
        let spec: AgentSpec = text.parse()?;
        let seat = seat(&spec, start, Limits::default(), host)?;
        Ok(Opponent { spec, limits: seat.limits, make: seat.make })
    });
    let exam = Exam {
        spec: agent.clone(),
        guest: host.guest(agent, start)?,
        start,
        opponents: opponents.into_iter().collect::<Result<_, SpecError>>()?,
        n_games: args.games,
        n_positions: args.positions,
        seed: args.seed,
        stop: interrupt::flag()?,
    };
    let mut progress = Progress::new("doctor");
    Ok(exam.run(&mut |fraction, what| progress.show(fraction, || what.to_owned()))?)
}

/// A folder without a package is a problem of the agent, not a usage error.
fn missing_package(agent: &AgentSpec) -> Option<Check> {
    let AgentKind::Python { folder, package: None, class: None } = agent.kind() else { return None };
    let found = if folder.is_dir() { package_of(folder).err()? } else { return None };
    let fix = "put the agent into a folder with an __init__.py, or name its package: python:DIR:PACKAGE";
    let (group, name, status) = (Group::Package, "package".to_owned(), Status::Failed);
    Some(Check { group, name, status, found, fix: Some(fix.to_owned()), evidence: None })
}
