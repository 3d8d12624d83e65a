//! Proves who wins Cachex after a first stone that is not stolen, on boards too large for a table of all positions.
//!
//! `cargo run --release -p yarra-engine --example prove-cachex -- SIZE MINUTES FILE`
//!
//! Proof-number search, depth first: it goes where a proof looks shortest. Play may go round in circles; a board that
//! stands on the way already counts as no win, so what is found is a tree without circles and holds whatever came
//! before. Each first stone is asked about for both players in turn, with ever more nodes until the time is over.
//! Proofs go to the file at once, and stones that stand there are left out: it can be stopped and run again.

use std::error::Error;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use yarra_games::cachex::{Bits, Cachex};
use yarra_games::cpu::fastest;
use yarra_games::{Game, Player, Position};

type Pos = Cachex<u64>;

/// Proven, or beyond reach.
const NEVER: u32 = 1 << 28;
const TABLE_BITS: u32 = 23;
const FIRST_NODES: u64 = 1_000_000;

/// How many more positions must be settled before the player to move has reached his goal, and before he has missed
/// it. The attacker's goal is a win, the defender's that there is none.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    reach: u32,
    miss: u32,
}

const REACHED: Work = Work { reach: 0, miss: NEVER };
const MISSED: Work = Work { reach: NEVER, miss: 0 };

struct Prover {
    attacker: Player,
    table: Vec<(u64, Work)>,
    path: Vec<u64>,
    n_left: u64,
}

impl Prover {
    fn new(attacker: Player) -> Prover {
        let table = vec![(0, Work::default()); 1 << TABLE_BITS];
        Prover { attacker, table, path: Vec::new(), n_left: 0 }
    }

    /// Whether the attacker wins; `None` if that would take more nodes.
    fn prove(&mut self, pos: &Pos, n_nodes: u64) -> Option<bool> {
        self.n_left = n_nodes;
        self.path.clear();
        let work = fastest(|| self.search(pos, Work { reach: NEVER, miss: NEVER }));
        let (reached, missed) = (work.reach == 0, work.miss == 0);
        let is_attackers = pos.turn() == self.attacker;
        (reached || missed).then_some(reached == is_attackers)
    }

    /// What is known of a position, or how it looks.
    #[inline(always)]
    fn look(&self, pos: &Pos) -> Work {
        if pos.outcome().is_some() {
            return MISSED;
        }
        let key = pos.key();
        if self.path.contains(&key) {
            return if pos.turn() == self.attacker { MISSED } else { REACHED };
        }
        let (known, work) = self.table[key as usize & (self.table.len() - 1)];
        if known == key {
            return work;
        }
        let [mover, other] = pos.roles();
        let distances = pos.distances();
        let (own, others) = (distances[mover as usize], distances[other as usize]);
        if own == 1 {
            return REACHED;
        }
        Work { reach: 1 << own.min(12), miss: 1 << others.min(12) }
    }

    /// The cells that do not lose at once; those of a player who wins at once are not asked for.
    fn cells(pos: &Pos) -> u64 {
        let [mover, other] = pos.roles();
        let threats = pos.winning_cells(other);
        if threats.is_empty() {
            return pos.open();
        }
        let captures = pos.capturing_cells(mover);
        if threats.count() == 1 { captures | threats } else { captures }
    }

    /// Works on a position until more of it is needed than `most`.
    fn search(&mut self, pos: &Pos, most: Work) -> Work {
        if pos.winning_cells(pos.turn()) != 0 {
            return REACHED;
        }
        let key = pos.key();
        self.n_left = self.n_left.saturating_sub(1);
        self.path.push(key);
        let mut children = Vec::new();
        let mut cells = Prover::cells(pos);
        while cells != 0 {
            children.push(pos.after(pos.move_at(cells.lowest())));
            cells = cells.without_lowest();
        }
        let work = loop {
            let (mut sum, mut best, mut second) = (0_u32, (NEVER, 0, 0), NEVER);
            for (idx, child) in children.iter().enumerate() {
                let Work { reach, miss } = self.look(child);
                sum = (sum + reach).min(NEVER);
                if miss < best.0 {
                    second = best.0;
                    best = (miss, idx, reach);
                } else {
                    second = second.min(miss);
                }
            }
            // One answer that fails the opponent is enough; to miss the goal all of them must succeed.
            let work = Work { reach: best.0, miss: if best.0 == 0 { NEVER } else { sum } };
            if most.reach <= work.reach || most.miss <= work.miss || self.n_left == 0 {
                break work;
            }
            let reach = most.miss.saturating_sub(sum - best.2).min(NEVER);
            let miss = most.reach.min(second.saturating_add(second / 4 + 1));
            self.search(&children[best.1], Work { reach, miss });
        };
        self.path.pop();
        let place = key as usize & (self.table.len() - 1);
        self.table[place] = (key, work);
        work
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, minutes, path] = &args[..] else { return Err("SIZE MINUTES FILE".into()) };
    let (size, minutes): (u16, u64) = (size.parse()?, minutes.parse()?);
    let until = Instant::now() + Duration::from_secs(60 * minutes);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let known = std::fs::read_to_string(path)?;
    let is_known = |cell: u16| known.lines().any(|line| line.starts_with(&format!("{} ", name(cell, size))));
    let is_center = |cell: u16| size % 2 == 1 && cell == size * size / 2;
    let cells = (0..(size * size).div_ceil(2)).filter(|&cell| !is_known(cell) && !is_center(cell));
    let mut open: Vec<u16> = cells.collect();
    let mut provers = Player::BOTH.map(Prover::new);
    let mut n_nodes = FIRST_NODES;
    let mut out = io::stdout().lock();
    while !open.is_empty() && Instant::now() < until {
        let mut left = Vec::new();
        for &cell in &open {
            let pos = after_stone(size, cell)?;
            let mut winner = None;
            for prover in &mut provers {
                if winner.is_none() && Instant::now() < until && prover.prove(&pos, n_nodes) == Some(true) {
                    winner = Some(prover.attacker);
                }
            }
            let Some(winner) = winner else {
                left.push(cell);
                continue;
            };
            writeln!(file, "{} {winner}", name(cell, size))?;
            writeln!(out, "{}: {winner} wins, within {n_nodes} nodes", name(cell, size))?;
        }
        open = left;
        n_nodes *= 4;
    }
    let names: Vec<String> = open.iter().map(|&cell| name(cell, size)).collect();
    writeln!(out, "not proven: {}", names.join(" "))?;
    Ok(())
}

fn name(cell: u16, size: u16) -> String {
    format!("{}-{}", cell / size, cell % size)
}

/// Blue is to move after the first stone, two plies late so that nothing can be stolen.
fn after_stone(size: u16, cell: u16) -> Result<Pos, Box<dyn Error>> {
    let row = |row: u16| -> String {
        (0..size).map(|col| if row * size + col == cell { 'r' } else { '.' }).collect()
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    Ok(Pos::read(&format!("{} b 3", rows.join("/")))?)
}
