//! `lab fit`: weights of evaluations and curves of winning chances, from self-play.

mod cachex;
mod infexion;
mod linear;
mod tetress;
mod winchance;

use std::process::ExitCode;

use clap::Subcommand;

/// Fit weights to games that an agent plays against itself.
///
/// Each game starts with random moves. A logistic regression finds the weights that best predict the results. They are
/// printed as Rust code. The same arguments give the same output on any machine.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  lab fit infexion 300 3000 1\n  lab fit winchance infexion champion 200 5000 1000"
)]
pub struct FitArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Infexion(infexion::InfexionArgs),
    Tetress(tetress::TetressArgs),
    Cachex(cachex::CachexArgs),
    Winchance(winchance::WinchanceArgs),
}

pub fn run(args: &FitArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        What::Infexion(args) => infexion::run(args)?,
        What::Tetress(args) => tetress::run(args)?,
        What::Cachex(args) => cachex::run(args)?,
        What::Winchance(args) => winchance::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}
