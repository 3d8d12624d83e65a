//! The analysis of a search as tables from which its time and space can be computed by hand.

use std::fmt::Write as _;

use yarra_arena::explain::Analysis;
use yarra_engine::cost::Space;

/// Report 000's Asymptotic Analysis with numbers.
pub fn text(analysis: &Analysis) -> String {
    let mut text = "\naverages of this search, by the symbols of report 000\n".to_owned();
    for (name, value, about) in [
        ("d", Some(analysis.depth.into()), "depth"),
        ("b", Some(analysis.branching), "moves at an internal node after reduction"),
        ("s", analysis.legal_moves, "legal moves at an internal node"),
        ("p", analysis.power, "power of a cell of the player to move"),
        ("n", analysis.occupied, "occupied cells of a leaf"),
        ("c", analysis.clusters, "clusters of a leaf"),
        ("N", Some(analysis.n_cells as f64), "cells of the board"),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "  {name:<9}{value:>12.2}     {about}");
        }
    }
    text + &time(analysis) + &space(analysis)
}

fn time(analysis: &Analysis) -> String {
    let mut text = "\ntime = leaves * E + internal * (R + O + G)\n".to_owned();
    for (name, count, about) in [
        ("leaves", analysis.shape.leaves, "nodes at the depth limit or an end of the game"),
        ("internal", analysis.shape.internal, "nodes whose moves were searched, with the root"),
    ] {
        let _ = writeln!(text, "  {name:<9}{count:>12}     {about}");
    }
    for (name, seconds, about) in [
        ("E", analysis.evaluation, "evaluation for each leaf, with its clusters: O(nc + c²)"),
        ("R", analysis.reduction, "listing and reducing moves for each internal node: O(N)"),
        ("O", analysis.ordering, "ordering for each internal node: O(s log s + sp)"),
        ("G", analysis.endgame, "endgame detection for each internal node: O(nc)"),
    ] {
        let _ = writeln!(text, "  {name:<9}{:>12.1} ns  {about}", seconds * 1e9);
    }
    let rest = analysis.total - analysis.sum();
    for (name, seconds, about) in [
        ("sum", analysis.sum(), "leaves * E + internal * (R + O + G)"),
        ("rest", rest, "making moves, reading the clock, taking these measurements"),
        ("total", analysis.total, "measured"),
    ] {
        let _ = writeln!(text, "  {name:<9}{:>12.1} us  {about}", seconds * 1e6);
    }
    text
}

fn space(analysis: &Analysis) -> String {
    let space = &analysis.space;
    let mut text = "\nspace = moves + boards + history + tables, at the fullest moment\n".to_owned();
    let near = analysis.branching * f64::from(analysis.depth);
    for (name, count, size, about) in [
        ("moves", space.moves, Space::MOVE_BYTES, format!("in the lists along one path; b * d is {near:.1}")),
        (
            "boards",
            space.boards,
            space.board_bytes,
            format!(
                "d + 1 copies of N = {} cells; the report keeps one and undoes d moves",
                analysis.n_cells
            ),
        ),
        (
            "history",
            space.history,
            Space::HISTORY_BYTES,
            "for the repetition rule, if there is one".to_owned(),
        ),
        ("tables", space.tables, 1, "and caches".to_owned()),
    ] {
        let _ = writeln!(text, "  {name:<9}{count:>12} * {size} B  {about}");
    }
    let _ = writeln!(text, "  {:<9}{:>12} B", "total", space.total());
    text
}
