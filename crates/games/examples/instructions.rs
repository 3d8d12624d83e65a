//! Counts the machine instructions of the rules' verbs and compares them with `benches/instructions.txt`.
//!
//! Instructions are counted by callgrind, so the figures are the same on a busy machine as on a quiet
//! one: a slower commit shows. Run it as `benches/instructions`, or with `--update` to accept the new
//! figures. It starts itself under valgrind, once for some work and once for twice as much; the
//! difference is the work alone. An empty loop over the same positions is taken off again.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode};

use yarra_games::cpu::{AnyCpu, Cpu, ModernCpu};
use yarra_games::{Game, Move, MoveList, Work, start, with_game};

/// One game for each type of position, and so for each width of word.
const GAMES: [&str; 8] =
    ["infexion", "tetress", "cachex:7", "cachex:11", "cachex:15", "hex:7", "hex:11", "hex:15"];
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/instructions.txt");
/// More than this is a slower commit.
const MAX_GROWTH: f64 = 0.03;
const N_GAMES: u64 = 20;
const N_REPEATS: u64 = 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Nothing,
    Play,
    LegalMoves,
    Outcome,
}

impl Verb {
    const COUNTED: [Verb; 3] = [Verb::Play, Verb::LegalMoves, Verb::Outcome];

    fn name(self) -> &'static str {
        match self {
            Verb::Nothing => "nothing",
            Verb::Play => "play",
            Verb::LegalMoves => "legal_moves",
            Verb::Outcome => "outcome",
        }
    }

    fn find(name: &str) -> Option<Verb> {
        let all = [Verb::Nothing].into_iter().chain(Verb::COUNTED);
        all.into_iter().find(|verb| verb.name() == name)
    }
}

fn main() -> ExitCode {
    let args = std::env::args().skip(1).collect::<Vec<_>>();
    let done = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => compare(),
        ["--update"] => update(),
        ["work", game, verb, n_repeats] => do_work(game, verb, n_repeats),
        _ => Err("expected no argument or --update".into()),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "instructions: {error}");
            ExitCode::from(2)
        }
    }
}

type Error = Box<dyn std::error::Error>;

/// Instructions of one call, on average.
struct Count {
    game: String,
    verb: String,
    n_instructions: f64,
}

fn compare() -> Result<ExitCode, Error> {
    let before = read_counts()?;
    let now = count_all()?;
    let mut out = io::stdout().lock();
    writeln!(out, "{:<12}{:<14}{:>10}{:>10}{:>10}", "game", "verb", "before", "now", "change")?;
    let mut has_grown = false;
    for Count { game, verb, n_instructions } in now {
        let old = before.iter().find(|old| old.game == game && old.verb == verb);
        let Some(old) = old.map(|old| old.n_instructions) else {
            writeln!(out, "{game:<12}{verb:<14}{:>10}{n_instructions:>10.1}{:>10}", "-", "new")?;
            continue;
        };
        let growth = n_instructions / old - 1.0;
        has_grown |= MAX_GROWTH < growth;
        let mark = if MAX_GROWTH < growth { "  slower" } else { "" };
        writeln!(
            out,
            "{game:<12}{verb:<14}{old:>10.1}{n_instructions:>10.1}{:>8.1} %{mark}",
            100.0 * growth
        )?;
    }
    Ok(if has_grown { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn update() -> Result<ExitCode, Error> {
    let mut text = "# Instructions of one call of each verb, counted by benches/instructions.\n".to_owned();
    let rustc = Command::new("rustc").arg("--version").output()?;
    write!(text, "# {}", String::from_utf8_lossy(&rustc.stdout))?;
    for Count { game, verb, n_instructions } in count_all()? {
        writeln!(text, "{game:<12}{verb:<14}{n_instructions:>8.1}")?;
    }
    std::fs::write(FILE, &text)?;
    io::stdout().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn read_counts() -> Result<Vec<Count>, Error> {
    let text = std::fs::read_to_string(FILE)?;
    let mut counts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [game, verb, n_instructions] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("expected game, verb and count in instructions.txt, found `{line}`").into());
        };
        let (game, verb) = (game.to_owned(), verb.to_owned());
        counts.push(Count { game, verb, n_instructions: n_instructions.parse()? });
    }
    Ok(counts)
}

fn count_all() -> Result<Vec<Count>, Error> {
    let mut counts = Vec::new();
    for game in GAMES {
        let idle = count(game, Verb::Nothing)?;
        for verb in Verb::COUNTED {
            let n_instructions = count(game, verb)? - idle;
            counts.push(Count { game: game.to_owned(), verb: verb.name().to_owned(), n_instructions });
        }
        writeln!(io::stderr(), "{game} counted")?;
    }
    Ok(counts)
}

/// Instructions of one pass through the loop around a verb.
fn count(game: &str, verb: Verb) -> Result<f64, Error> {
    let (once, n_calls) = under_callgrind(game, verb, N_REPEATS)?;
    let (twice, _) = under_callgrind(game, verb, 2 * N_REPEATS)?;
    Ok((twice - once) as f64 / n_calls as f64)
}

/// Does some work under callgrind; returns all its instructions and the number of calls.
fn under_callgrind(game: &str, verb: Verb, n_repeats: u64) -> Result<(u64, u64), Error> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["work", game, verb.name(), &n_repeats.to_string()])
        .output();
    let output = match output {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err("valgrind is missing; on Debian and Ubuntu: apt install valgrind".into());
        }
        output => output?,
    };
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("valgrind failed on {game} {}:\n{log}", verb.name()).into());
    }
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let (_, n_instructions) = collected.ok_or_else(|| format!("no count from valgrind:\n{log}"))?;
    let n_calls = String::from_utf8_lossy(&output.stdout).trim().parse()?;
    Ok((n_instructions.trim().parse()?, n_calls))
}

fn do_work(game: &str, verb: &str, n_repeats: &str) -> Result<ExitCode, Error> {
    let verb = Verb::find(verb).ok_or("no such verb")?;
    let repeat = Repeat { verb, n_repeats: n_repeats.parse()? };
    let n_calls = with_game(&*start(game)?, repeat).ok_or("the modern instructions are not to be had")?;
    writeln!(io::stdout(), "{n_calls}")?;
    Ok(ExitCode::SUCCESS)
}

struct Repeat {
    verb: Verb,
    n_repeats: u64,
}

impl Work for Repeat {
    type Output = Option<u64>;

    /// The number of calls; `None` on a machine whose instructions would not compare with others.
    fn run<G: Game>(self, pos: &G) -> Option<u64> {
        let cases = cases(pos);
        let Repeat { verb, n_repeats } = self;
        match ModernCpu::detect() {
            Some(cpu) => repeat(cpu, &cases, verb, n_repeats),
            None if cfg!(target_arch = "x86_64") => return None,
            None => repeat(AnyCpu, &cases, verb, n_repeats),
        }
        Some(n_repeats * cases.len() as u64)
    }
}

/// Every position of some random games with the move made there.
fn cases<G: Game>(pos: &G) -> Vec<(G, Move)> {
    let mut cases = Vec::new();
    for seed in 0..N_GAMES {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut pos = *pos;
        while let Some(m) = pos.random_move(&mut rng) {
            cases.push((pos, m));
            pos.play(m);
        }
    }
    cases
}

fn repeat<G: Game, C: Cpu>(cpu: C, cases: &[(G, Move)], verb: Verb, n_repeats: u64) {
    let mut list = MoveList::with_capacity(G::MOVES);
    // One loop a verb: a choice inside would be counted too.
    match verb {
        Verb::Nothing => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |_, _| {},
        ),
        Verb::Play => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, m| pos.play(m),
        ),
        Verb::LegalMoves => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, _| {
                list.clear();
                pos.legal_moves(&mut list);
                black_box(&list);
            },
        ),
        Verb::Outcome => each(
            cpu,
            cases,
            n_repeats,
            #[inline(always)]
            |pos, _| {
                black_box(pos.outcome());
            },
        ),
    }
}

#[inline(always)]
fn each<G: Game, C: Cpu>(cpu: C, cases: &[(G, Move)], n_repeats: u64, mut verb: impl FnMut(&mut G, Move)) {
    cpu.run(
        #[inline(always)]
        || {
            for _ in 0..n_repeats {
                for &(pos, m) in cases {
                    let mut pos = black_box(pos);
                    verb(&mut pos, black_box(m));
                    black_box(&pos);
                }
            }
        },
    );
}
