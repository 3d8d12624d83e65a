//! What a net is trained on.

use yarra_engine::net::conv::{Geometry, N_SCALARS, NetInput, Symmetry};

/// A position with the targets of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub input: NetInput,
    /// The policy index of every legal move, and the share of it that a search would play.
    pub policy: Vec<(u16, f32)>,
    /// The result for the player to move, or what is expected of it, from -1 to 1.
    pub value: f32,
    /// What [`NetGame::lead`](yarra_engine::net::conv::NetGame::lead) said at the end of the game.
    pub lead: f32,
}

impl Sample {
    /// The image of a sample under a random symmetry.
    pub fn turned(&self, geometry: Geometry, rng: &mut fastrand::Rng) -> Sample {
        let symmetry = Symmetry::random(geometry, self.input.size, rng);
        let mut input = NetInput::default();
        symmetry.apply(&self.input, &mut input);
        let policy = self.policy.iter().map(|&(idx, share)| (symmetry.index(idx), share)).collect();
        Sample { input, policy, value: self.value, lead: self.lead }
    }

    /// Appends the sample to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.input.size);
        bytes.extend((self.policy.len() as u16).to_le_bytes());
        bytes.extend(&self.input.cells);
        for number in self.input.scalars.into_iter().chain([self.value, self.lead]) {
            bytes.extend(number.to_le_bytes());
        }
        for (idx, share) in &self.policy {
            bytes.extend(idx.to_le_bytes());
            bytes.extend(share.to_le_bytes());
        }
    }

    /// Takes a sample from the start of `bytes`; `None` if they were cut off or are not a sample.
    pub fn read(bytes: &mut &[u8]) -> Option<Sample> {
        let [size] = take(bytes)?;
        let n_moves = u16::from_le_bytes(take(bytes)?);
        let (cells, rest) = bytes.split_at_checked(usize::from(size).pow(2))?;
        *bytes = rest;
        let mut scalars = [0.0; N_SCALARS];
        for scalar in &mut scalars {
            *scalar = f32::from_le_bytes(take(bytes)?);
        }
        let value = f32::from_le_bytes(take(bytes)?);
        let lead = f32::from_le_bytes(take(bytes)?);
        let mut policy = Vec::new();
        for _ in 0..n_moves {
            policy.push((u16::from_le_bytes(take(bytes)?), f32::from_le_bytes(take(bytes)?)));
        }
        Some(Sample { input: NetInput { size, cells: cells.to_vec(), scalars }, policy, value, lead })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (&first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}
