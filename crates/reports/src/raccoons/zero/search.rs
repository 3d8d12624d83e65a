//! The search of report 004, Agent 1, 2 ((Modified) Monte Carlo Tree Search): no rollouts, the net gives the value and
//! the priors of a node when it is made.

use yarra_games::infexion::Infexion;
use yarra_games::{Game, Move, MoveList, Player, Position};

use super::net::{Activations, Net};
use super::planes::Planes;

/// How nodes below the root choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// As the team's program: a node gets one more child at random whenever it is visited. The tree hardly grows deeper than
    /// two plies.
    Code,
    /// As the report says: every node chooses the move with the best upper bound, as the root does.
    Puct,
}

/// A tree that is kept from move to move, with the net's buffers.
#[derive(Clone, Debug)]
pub struct Search {
    rule: Rule,
    /// The weight of the priors in the upper bound.
    exploration: f32,
    /// The root first. Empty before the first search.
    nodes: Vec<Node>,
    buffer: Activations,
}

#[derive(Clone, Debug)]
struct Node {
    pos: Infexion,
    visits: u32,
    /// The sum of all values seen here, for the player who moved into the node.
    total: f32,
    /// The result for the player to move, if the game is over.
    result: Option<f32>,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    m: Move,
    prior: f32,
    child: Option<u32>,
}

const ROOT: usize = 0;

impl Search {
    /// A search without a tree.
    pub fn new(rule: Rule, exploration: f32) -> Search {
        Search { rule, exploration, nodes: Vec::new(), buffer: Activations::default() }
    }

    /// Forgets the tree.
    pub fn forget(&mut self) {
        self.nodes.clear();
    }

    /// Makes a position the root. What is known about it is kept: it may be the root itself, or up to two plies below.
    pub fn set_root(&mut self, net: &Net, pos: &Infexion) {
        if let Some(root) = self.find(pos) {
            self.keep_below(root);
        } else {
            self.nodes.clear();
            let (root, _) = self.made(net, *pos);
            self.nodes.push(root);
        }
    }

    fn find(&self, pos: &Infexion) -> Option<usize> {
        let root = self.nodes.first()?;
        let below = |node: &Node| node.edges.iter().filter_map(|edge| edge.child).collect::<Vec<_>>();
        let children = below(root);
        let grandchildren = children.iter().flat_map(|&child| below(&self.nodes[child as usize]));
        let all = [ROOT as u32].into_iter().chain(children.clone()).chain(grandchildren);
        all.map(|node| node as usize).find(|&node| self.nodes[node].pos == *pos)
    }

    /// Moves a node and all below it to the front, and drops the rest.
    fn keep_below(&mut self, root: usize) {
        if root == ROOT {
            return;
        }
        let mut kept = vec![self.nodes[root].clone()];
        let mut next = 0;
        while next < kept.len() {
            for idx in 0..kept[next].edges.len() {
                if let Some(child) = kept[next].edges[idx].child {
                    kept[next].edges[idx].child = Some(kept.len() as u32);
                    kept.push(self.nodes[child as usize].clone());
                }
            }
            next += 1;
        }
        self.nodes = kept;
    }

    /// A node for a position, and its value for the player to move.
    fn made(&mut self, net: &Net, pos: Infexion) -> (Node, f32) {
        let mut node = Node { pos, visits: 0, total: 0.0, result: None, edges: Vec::new() };
        if let Some(outcome) = pos.outcome() {
            let result = result_for(outcome.winner, pos.turn());
            node.result = Some(result);
            return (node, result);
        }
        net.run(&Planes::of(&pos), &mut self.buffer);
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let priors = net.priors(&self.buffer.logits, &moves);
        let edge = |(&m, prior)| Edge { m, prior, child: None };
        node.edges = moves.iter().zip(priors).map(edge).collect();
        (node, net.value_for_mover(&pos, self.buffer.value))
    }

    /// Descends from the root to a node that is new or ends the game, and passes its value up.
    pub fn simulate(&mut self, net: &Net, rng: &mut fastrand::Rng) {
        let mut path = vec![ROOT];
        let mut value = loop {
            let node = path[path.len() - 1];
            if let Some(result) = self.nodes[node].result {
                break result;
            }
            let edge = self.select(node, rng);
            let Edge { m, child, .. } = self.nodes[node].edges[edge];
            if let Some(child) = child {
                path.push(child as usize);
                continue;
            }
            let (made, value) = self.made(net, self.nodes[node].pos.after(m));
            self.nodes[node].edges[edge].child = Some(self.nodes.len() as u32);
            path.push(self.nodes.len());
            self.nodes.push(made);
            break value;
        };
        for &node in path.iter().rev() {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.total -= value;
            value = -value;
        }
    }

    /// The edge to follow from a node.
    fn select(&self, node: usize, rng: &mut fastrand::Rng) -> usize {
        let edges = &self.nodes[node].edges;
        let unmade = edges.iter().filter(|edge| edge.child.is_none()).count();
        if self.rule == Rule::Code && node != ROOT && 0 < unmade {
            let nth = rng.usize(..unmade);
            let mut unmade = (0..edges.len()).filter(|&edge| edges[edge].child.is_none());
            return unmade.nth(nth).expect("one of them");
        }
        let spread = self.exploration * (self.nodes[node].visits.max(1) as f32).sqrt();
        let bound = |edge: &Edge| {
            let (visits, mean) = self.seen(edge);
            mean + spread * edge.prior / (1.0 + visits as f32)
        };
        // The first of equal ones, in the order of moves.
        let mut best = (0, bound(&edges[0]));
        for (idx, edge) in edges.iter().enumerate().skip(1) {
            let bound = bound(edge);
            if best.1 < bound {
                best = (idx, bound);
            }
        }
        best.0
    }

    /// The visits of an edge and the mean of its values for the player who chooses it; nothing seen is worth 0.
    fn seen(&self, edge: &Edge) -> (u32, f32) {
        let child = edge.child.map(|child| &self.nodes[child as usize]).filter(|child| 0 < child.visits);
        child.map_or((0, 0.0), |child| (child.visits, child.total / child.visits as f32))
    }

    /// The moves of the root that were visited, with their visits.
    pub fn visits(&self) -> Vec<(Move, u32)> {
        let edges = self.nodes.first().map_or(&[][..], |root| &root.edges);
        let visits = edges.iter().map(|edge| (edge.m, self.seen(edge).0));
        visits.filter(|&(_, visits)| 0 < visits).collect()
    }

    /// Draws a move with a chance in the ratio of visits to the power of 1 / temperature.
    ///
    /// # Panics
    /// If nothing was searched.
    pub fn draw(&self, temperature: f64, rng: &mut fastrand::Rng) -> Move {
        let visits = self.visits();
        let most = visits.iter().map(|&(_, n)| n).max().expect("a searched root");
        let weight = |n: u32| (f64::from(n) / f64::from(most)).powf(1.0 / temperature);
        let mut rest = rng.f64() * visits.iter().map(|&(_, n)| weight(n)).sum::<f64>();
        for &(m, n) in &visits {
            rest -= weight(n);
            if rest < 0.0 {
                return m;
            }
        }
        visits[visits.len() - 1].0
    }

    /// The mean value of a move at the root for the player who makes it.
    pub fn mean(&self, m: Move) -> f32 {
        let edge = self.nodes.first().and_then(|root| root.edges.iter().find(|edge| edge.m == m));
        edge.map_or(0.0, |edge| self.seen(edge).1)
    }

    /// A move of the root and the most visited moves that follow it.
    pub fn line(&self, m: Move) -> Vec<Move> {
        let mut line = vec![m];
        let child = |edge: &Edge| edge.child.map(|child| child as usize);
        let root = self.nodes.first();
        let mut node = root.and_then(|root| root.edges.iter().find(|edge| edge.m == m)).and_then(child);
        while let Some(here) = node {
            let seen = self.nodes[here].edges.iter().filter(|edge| 0 < self.seen(edge).0);
            let best = seen.max_by_key(|edge| (self.seen(edge).0, std::cmp::Reverse(edge.m)));
            line.extend(best.map(|edge| edge.m));
            node = best.and_then(child);
        }
        line
    }

    /// The depth of the tree in plies.
    pub fn depth(&self) -> u32 {
        let root = self.nodes.first().map_or(0, |root| root.pos.ply());
        self.nodes.iter().map(|node| u32::from(node.pos.ply() - root)).max().unwrap_or(0)
    }

    /// Bytes that the tree holds.
    pub fn memory(&self) -> usize {
        let edges: usize = self.nodes.iter().map(|node| node.edges.capacity()).sum();
        self.nodes.capacity() * size_of::<Node>() + edges * size_of::<Edge>()
    }
}

/// The temperatures of the team's matches: almost the most visited move at the beginning and at the end, and some variety
/// between.
pub fn match_temperature(ply: u16) -> f64 {
    match ply {
        30..100 => 0.5,
        100..200 => 0.2,
        _ => 0.01,
    }
}

/// A result as the net is taught it: 1 for a win of a player, 0 for a draw, -1 for a loss.
pub fn result_for(winner: Option<Player>, player: Player) -> f32 {
    winner.map_or(0.0, |winner| if winner == player { 1.0 } else { -1.0 })
}
