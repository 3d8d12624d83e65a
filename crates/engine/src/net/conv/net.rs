//! A net: its shape and its parameters.

use super::lanes::Lanes;
use super::{Layout, NetShape};
use crate::net::{NetError, NetFile};

/// The kind of these nets in files.
pub const KIND: &str = "zero";

/// A policy-value net of residual blocks.
#[derive(Clone, Debug)]
pub struct ConvNet {
    game: String,
    shape: NetShape,
    layout: Layout,
    /// All tensors, at the places that the layout says.
    pub params: Vec<Lanes>,
}

impl ConvNet {
    /// A net with random weights, whose first policy is uniform and whose first value is 0.
    ///
    /// # Errors
    /// If there is no such shape, or the game has another geometry.
    pub fn new(game: &str, shape: NetShape, rng: &mut fastrand::Rng) -> Result<ConvNet, NetError> {
        let mut net = ConvNet::zero(game, shape)?;
        for tensor in net.layout.tensors.iter().filter(|tensor| 0.0 < tensor.deviation) {
            let numbers = std::iter::repeat_with(|| tensor.deviation * normal(rng));
            tensor.set(&mut net.params, numbers);
        }
        Ok(net)
    }

    fn zero(game: &str, shape: NetShape) -> Result<ConvNet, NetError> {
        shape.check().map_err(NetError::new)?;
        if super::Geometry::of(game) != Some(shape.geometry) {
            return Err(NetError::new(format!("no net of {:?} plays {game}", shape.geometry)));
        }
        let layout = Layout::new(shape);
        let params = vec![Lanes::ZERO; layout.n_lanes()];
        Ok(ConvNet { game: game.to_owned(), shape, layout, params })
    }

    /// The game that the net plays.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The shape.
    pub fn shape(&self) -> NetShape {
        self.shape
    }

    /// Where the tensors lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The number of weights and biases.
    pub fn n_params(&self) -> usize {
        self.layout.tensors.iter().map(|tensor| tensor.shape.iter().product::<usize>()).sum()
    }

    /// The net as a file.
    pub fn to_file(&self) -> NetFile {
        let mut file = NetFile::new(KIND, &self.game);
        file.tell("blocks", self.shape.n_blocks);
        file.tell("filters", self.shape.n_filters);
        self.save(&mut file, "", &self.params);
        file
    }

    /// Reads a net.
    ///
    /// # Errors
    /// If the file holds another kind of net, or not all tensors in their shapes.
    pub fn from_file(file: &NetFile) -> Result<ConvNet, NetError> {
        let game: String = file.told("game")?;
        file.check(KIND, &game)?;
        let unknown = || NetError::new(format!("expected a game that nets play, found {game}"));
        let geometry = super::Geometry::of(&game).ok_or_else(unknown)?;
        let shape = NetShape { geometry, n_blocks: file.told("blocks")?, n_filters: file.told("filters")? };
        let mut net = ConvNet::zero(&game, shape)?;
        net.params = net.load(file, "")?;
        Ok(net)
    }

    /// Adds a list of numbers with the shapes of this net's parameters to a file, with a prefix before each name.
    pub fn save(&self, file: &mut NetFile, prefix: &str, params: &[Lanes]) {
        for tensor in &self.layout.tensors {
            file.add(&format!("{prefix}{}", tensor.name), &tensor.shape, tensor.numbers(params));
        }
    }

    /// Reads such a list.
    ///
    /// # Errors
    /// If a tensor is missing, has another shape, or has numbers that are not finite.
    pub fn load(&self, file: &NetFile, prefix: &str) -> Result<Vec<Lanes>, NetError> {
        let mut params = vec![Lanes::ZERO; self.layout.n_lanes()];
        for tensor in &self.layout.tensors {
            let name = format!("{prefix}{}", tensor.name);
            let numbers = file.get::<f32>(&name, &tensor.shape)?;
            if !numbers.iter().all(|number| number.is_finite()) {
                return Err(NetError::new(format!("tensor {name}: expected finite numbers")));
            }
            tensor.set(&mut params, numbers.iter().copied());
        }
        Ok(params)
    }
}

/// A number from the standard normal distribution.
fn normal(rng: &mut fastrand::Rng) -> f32 {
    let radius = (-2.0 * (1.0 - rng.f32()).ln()).sqrt();
    radius * (std::f32::consts::TAU * rng.f32()).cos()
}
