//! `yarra train export`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use yarra_engine::net::NetFile;
use yarra_engine::net::conv::ConvNet;
use yarra_files::{Draft, check_is_new};
use yarra_games::find;
use yarra_learn::conv::onnx;

use crate::words::file_name;

/// Write a net of recipe `zero` as an ONNX file, for other programs.
///
/// Inputs are `planes`, one board of 0 and 1 for each kind of piece in the view of the player to move, and `scalars`.
/// Outputs are `policy` (a logit for each move, legal or not), `value` and `lead`. docs/learning.md has the order.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  yarra train export runs/zero --onnx zero.onnx")]
pub struct ExportArgs {
    /// The directory of a run, or a net file.
    #[arg(value_name = "DIR|FILE")]
    net: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "OUT")]
    onnx: PathBuf,
    /// The board size, for a net that plays several [default: the game's default].
    #[arg(long, value_name = "N")]
    size: Option<u8>,
    /// Overwrite a file.
    #[arg(long)]
    force: bool,
}

pub fn run(args: &ExportArgs, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let file = NetFile::open(&args.net)?;
    let named = || file_name(&args.net);
    let net = ConvNet::from_file(&file).with_context(named)?;
    let (game, _) = find(net.game())?;
    let size = args.size.unwrap_or(game.default_size);
    if !game.sizes.contains(&size) {
        let (least, most) = (game.sizes.start(), game.sizes.end());
        bail!("--size {size}: expected a size of {} from {least} to {most}", game.name);
    }
    if !args.force {
        check_is_new(&args.onnx, "--force overwrites it")?;
    }
    Draft::begin(&args.onnx)?.finish(onnx::export(&net, size))?;
    writeln!(out, "wrote {} for {} of size {size}", file_name(&args.onnx), game.name)?;
    Ok(ExitCode::SUCCESS)
}
