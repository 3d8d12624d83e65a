//! The driver of runs, with a recipe that is only a counter.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use yarra_engine::net::NetFile;
use yarra_engine::{OptionInfo, Settings, Stop};
use yarra_learn::run::{Length, Outcome, Runner, Saved, View};
use yarra_learn::{Entry, Estimate, Plan, Recipe, RecipeInfo, Round, RunDir, RunError};

const INFO: RecipeInfo = RecipeInfo {
    name: "toy",
    about: "adds up random numbers",
    games: &["infexion"],
    agent: "random",
    options: &[OptionInfo::count("step", "1", "what is added")],
    begin,
    estimate: |_, _, _| Estimate::default(),
    view: |_, _| Ok(View::default()),
};

struct Toy {
    step: u64,
    sum: u64,
    /// The numbers of all shards: the part of the state that is not in the checkpoint.
    seen: Vec<u8>,
}

fn begin(_: &Plan, settings: &Settings, saved: Option<Saved<'_>>) -> Result<Box<dyn Recipe>, RunError> {
    let mut toy = Toy { step: settings.get("step"), sum: 0, seen: Vec::new() };
    if let Some(saved) = saved {
        toy.sum = saved.state.get::<u64>("sum", &[1])?[0];
        for round in 0..saved.n_rounds {
            toy.seen.extend(saved.dir.read_shard(round)?);
        }
    }
    Ok(Box::new(toy))
}

/// The number of points where a round can be killed.
const N_POINTS: u64 = 5;

thread_local! {
    /// Counts down to the kill.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

fn live() -> Result<(), RunError> {
    if LEFT.replace(LEFT.get().wrapping_sub(1)) == 0 { Err(RunError::new("killed")) } else { Ok(()) }
}

impl Recipe for Toy {
    fn round(&mut self, round: &Round<'_>) -> Result<Entry, RunError> {
        let mut rng = fastrand::Rng::with_seed(round.seed);
        for _ in 0..N_POINTS {
            live()?;
            self.sum = self.sum.wrapping_mul(3).wrapping_add(rng.u64(..)).wrapping_add(self.step);
            self.seen.push(self.sum as u8);
        }
        let first = self.seen.len() - N_POINTS as usize;
        round.dir.write_shard(round.number, &self.seen[first..])?;
        live()?;
        // Reads the whole history, as a replay window does.
        self.sum = self.seen.iter().fold(self.sum, |sum, &byte| sum.wrapping_mul(31) ^ u64::from(byte));
        Ok(Entry { games: 1, positions: N_POINTS, ..Entry::default() })
    }

    fn state(&self) -> NetFile {
        let mut file = NetFile::new("toy-state", "infexion");
        file.add("sum", &[1], vec![self.sum]);
        file
    }

    fn net(&self) -> NetFile {
        let mut file = NetFile::new("toy", "infexion");
        file.add("sum", &[1], vec![self.sum]);
        file
    }
}

fn plan(length: Length) -> Plan {
    Plan {
        game: "infexion".into(),
        recipe: "toy".into(),
        seed: 5,
        settings: BTreeMap::new(),
        length,
        program: "test".into(),
    }
}

fn run(path: &Path, plan: Plan) -> Result<Outcome, RunError> {
    Runner::begin(path, plan, &INFO)?.run(1, &Stop::new(), &|_| {}, &mut |_| {})
}

/// The files of a run but the log, which has times.
fn bytes(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = [path.to_owned(), path.join("shards")].map(|folder| fs::read_dir(folder).expect("a folder"));
    let files = files.into_iter().flatten().map(|file| file.expect("a file").path());
    let files = files.filter(|path| path.is_file() && !path.ends_with("log.jsonl"));
    files.map(|path| (path.display().to_string(), fs::read(&path).expect("a file"))).collect()
}

#[test]
fn a_run_that_is_killed_anywhere_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    assert_eq!(run(&path, plan(Length::Rounds(6))), Ok(Outcome::Complete));
    let whole = bytes(&path);
    for gap in 0..2 * N_POINTS {
        fs::remove_dir_all(&path).expect("the last run");
        let mut n_kills = 0;
        loop {
            LEFT.set(gap + n_kills);
            match run(&path, plan(Length::Rounds(6))) {
                Ok(outcome) => break assert_eq!(outcome, Outcome::Complete),
                Err(error) => assert_eq!(error, RunError::new("killed")),
            }
            // A draft that the kill has left.
            fs::write(path.join("net.safetensors.0.tmp"), b"half a").expect("a draft");
            n_kills += 1;
        }
        LEFT.set(u64::MAX);
        assert!(0 < n_kills && bytes(&path) == whole, "killed after {gap} points");
        let log = RunDir::open(&path).and_then(|dir| dir.log()).expect("the log");
        assert_eq!(log.iter().map(|line| line.round).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    }

    // The net says how it was made.
    let net = NetFile::open(&path).expect("the net");
    let told = |key: &str| net.told::<String>(key).expect("a fact");
    let facts = ["recipe", "seed", "settings", "program", "rounds"].map(told);
    assert_eq!(facts, ["toy", "5", "", "test", "6"]);

    // A longer plan extends the run; another one is refused, and so is a directory of someone else's.
    assert_eq!(run(&path, plan(Length::Rounds(7))), Ok(Outcome::Complete));
    let other = Plan { seed: 6, ..plan(Length::Rounds(7)) };
    let error = run(&path, other).expect_err("another plan").to_string();
    assert!(error.contains("this run has seed 5, not 6"), "{error}");
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).expect("a folder");
    fs::write(foreign.join("thesis.tex"), "mine").expect("a file");
    let error = run(&foreign, plan(Length::Rounds(1))).expect_err("not ours").to_string();
    assert!(error.contains("expected a run or an empty directory"), "{error}");
    assert_eq!(fs::read_dir(&foreign).expect("a folder").count(), 1);

    // A run that was killed before its plan was written.
    let early = folder.path().join("early");
    fs::create_dir_all(early.join("shards")).expect("a folder");
    for name in ["lock", "run.json.0.tmp"] {
        fs::write(early.join(name), "").expect("a file");
    }
    assert_eq!(run(&early, plan(Length::Rounds(1))), Ok(Outcome::Complete));
    assert!(!early.join("run.json.0.tmp").exists());

    // One program at a time.
    let _first = Runner::begin(&path, plan(Length::Rounds(9)), &INFO).expect("the run");
    let error = Runner::begin(&path, plan(Length::Rounds(9)), &INFO).err().expect("it is in use").to_string();
    assert!(error.contains("another program"), "{error}");

    // Nonsense is refused before anything is written.
    let new = folder.path().join("new");
    let wrong = Plan { settings: [("pace".into(), "1".into())].into(), ..plan(Length::Rounds(1)) };
    assert!(run(&new, wrong).expect_err("no such option").to_string().contains("step"));
    let wrong = Plan { game: "tetress".into(), ..plan(Length::Rounds(1)) };
    assert!(run(&new, wrong).expect_err("another game").to_string().contains("not for tetress"));
    assert!(!new.exists());
}

#[test]
fn a_run_by_the_clock_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    assert_eq!(run(&path, plan(Length::Minutes(0.0005))), Ok(Outcome::Complete));
    assert_eq!(run(&path, plan(Length::Minutes(0.0005))), Ok(Outcome::Complete));
    let stop = Stop::new();
    stop.raise();
    let mut runner = Runner::begin(&path, plan(Length::Minutes(1e9)), &INFO).expect("the run");
    assert_eq!(runner.run(1, &stop, &|_| {}, &mut |_| {}), Ok(Outcome::Stopped));
}
