//! Nets in the ONNX format, for other programs.
//!
//! Inputs: `planes`, for each code of a piece a board of 0 and 1, and `scalars`; see `NetInput`. Outputs: `policy`, logits by
//! policy index, legal or not; `value`; `lead`. Hexagonal kernels are squares with two zeros.

use yarra_engine::net::conv::shape::{Layer, N_HIDDEN, Span};
use yarra_engine::net::conv::{ConvNet, Geometry, Grid, N_SCALARS};

use super::proto::{Attribute, Message, floats, integers, value};

/// The version of the operators: the first whose padding wraps around.
const OPERATORS: i64 = 19;
const FORMAT: i64 = 9;
/// Codes of stones; what lies beyond a rhombus is not an input.
const N_STONES: usize = 2;

/// The number of planes of an exported net.
pub fn n_planes(geometry: Geometry) -> usize {
    if geometry == Geometry::Rhombus { N_STONES } else { geometry.n_codes() }
}

/// A net as the bytes of an ONNX file, for boards of one size.
pub fn export(net: &ConvNet, size: u8) -> Vec<u8> {
    let grid = Grid::of(net.shape().geometry, size);
    let mut graph = Graph { net, grid, body: Message::new(), n_values: 0 };
    graph.build();
    let (geometry, size) = (net.shape().geometry, usize::from(size));
    let n_moves = geometry.n_planes() * size * size + usize::from(geometry.has_steal());
    let body = std::mem::take(&mut graph.body)
        .text(2, net.game())
        .message(11, value("planes", &[n_planes(geometry), size, size]))
        .message(11, value("scalars", &[N_SCALARS]))
        .message(12, value("policy", &[n_moves]))
        .message(12, value("value", &[1]))
        .message(12, value("lead", &[1]));
    let operators = Message::new().text(1, "").int(2, OPERATORS);
    let model = Message::new().int(1, FORMAT).text(2, "yarra").message(7, body).message(8, operators);
    model.into_bytes()
}

/// Operators and their constants under construction. Each value has a name.
struct Graph<'a> {
    net: &'a ConvNet,
    grid: &'a Grid,
    body: Message,
    n_values: usize,
}

impl Graph<'_> {
    fn build(&mut self) {
        let (shape, layout) = (self.net.shape(), self.net.layout());
        let mut x = self.input();
        for (n, [first, second]) in layout.blocks.iter().enumerate() {
            if n == shape.n_blocks_before_pool() {
                x = self.mix(&x);
            }
            let hidden = self.convolve(&x, first);
            let hidden = self.op("Relu", &[&hidden]);
            let change = self.convolve(&hidden, second);
            x = self.add_and_cut(&x, &change);
        }
        if shape.n_blocks == shape.n_blocks_before_pool() {
            x = self.mix(&x);
        }
        let pooled = self.pool(&x, &[2, 3]);
        self.policy(&x, &pooled);
        let hidden = self.dense(&pooled, &layout.head, 2 * shape.n_filters, N_HIDDEN);
        let hidden = self.op("Relu", &[&hidden]);
        let (weights, bias) = (self.numbers(layout.outcome.weights), self.numbers(layout.outcome.bias));
        for (n, name) in ["value", "lead"].into_iter().enumerate() {
            let weights = self.constant(&[N_HIDDEN, 1], &weights[n * N_HIDDEN..(n + 1) * N_HIDDEN]);
            let bias = self.constant(&[1], &bias[n..=n]);
            let sum = self.op("Gemm", &[&hidden, &weights, &bias]);
            self.op_as(name, "Tanh", &[&sum], &[]);
        }
    }

    fn input(&mut self) -> String {
        let (shape, layout) = (self.net.shape(), self.net.layout());
        let (geometry, n_filters) = (shape.geometry, shape.n_filters);
        let weights = self.numbers(layout.input.weights);
        let n_planes = n_planes(geometry);
        let seen = self.kernel("planes", &geometry.input_kernel(), n_planes, |step, code, filter| {
            weights[(step * geometry.n_codes() + code) * n_filters + filter]
        });
        let facts = self.dense_of("scalars", layout.scalars, layout.input.bias, N_SCALARS, n_filters);
        let facts = self.reshape(&facts, &[0, n_filters as i64, 1, 1]);
        let mut sum = self.op("Add", &[&seen, &facts]);
        if geometry == Geometry::Rhombus {
            let sides = self.sides(&weights);
            sum = self.op("Add", &[&sum, &sides]);
        }
        self.op("Relu", &[&sum])
    }

    /// What cells near the sides of a rhombus see of them is the same in every position.
    fn sides(&mut self, weights: &[f32]) -> String {
        let (n_cells, n_filters) = (self.grid.n_cells(), self.net.shape().n_filters);
        let n_codes = self.net.shape().geometry.n_codes();
        let mut sides = vec![0.0; n_filters * n_cells];
        for (side, seen_from) in self.grid.seen_from[n_cells..].iter().enumerate() {
            for &(step, cell) in seen_from {
                let row =
                    &weights[(usize::from(step) * n_codes + N_STONES + side) * n_filters..][..n_filters];
                for (filter, weight) in row.iter().enumerate() {
                    sides[filter * n_cells + usize::from(cell)] += weight;
                }
            }
        }
        self.constant(&[1, n_filters, self.grid.size, self.grid.size], &sides)
    }

    fn convolve(&mut self, x: &str, layer: &Layer) -> String {
        let n_filters = self.net.shape().n_filters;
        let weights = self.numbers(layer.weights);
        let steps = self.net.shape().geometry.kernel();
        let sum = self.kernel(x, &steps, n_filters, |step, input, output| {
            weights[(step * n_filters + input) * n_filters + output]
        });
        let bias = self.numbers(layer.bias);
        let bias = self.constant(&[n_filters, 1, 1], &bias);
        self.op("Add", &[&sum, &bias])
    }

    /// A convolution without bias, on a torus or with zeros around the board.
    fn kernel(
        &mut self,
        x: &str,
        steps: &[(i8, i8)],
        n_inputs: usize,
        weight: impl Fn(usize, usize, usize) -> f32,
    ) -> String {
        let n_filters = self.net.shape().n_filters;
        let reach = steps.iter().flat_map(|&(dr, dc)| [dr, dc]).max().unwrap_or(0);
        let width = 2 * reach as usize + 1;
        let mut numbers = vec![0.0; n_filters * n_inputs * width * width];
        for (step, &(dr, dc)) in steps.iter().enumerate() {
            let at = (dr + reach) as usize * width + (dc + reach) as usize;
            for output in 0..n_filters {
                for input in 0..n_inputs {
                    numbers[(output * n_inputs + input) * width * width + at] = weight(step, input, output);
                }
            }
        }
        let kernel = self.constant(&[n_filters, n_inputs, width, width], &numbers);
        let reach = i64::from(reach);
        if self.net.shape().geometry == Geometry::Rhombus {
            let around = Attribute::Ints("pads", vec![reach; 4]);
            let name = self.name();
            return self.op_as(&name, "Conv", &[x, &kernel], &[around]);
        }
        let around = self.list(&[0, 0, reach, reach, 0, 0, reach, reach]);
        let name = self.name();
        let wrapped = self.op_as(&name, "Pad", &[x, &around], &[Attribute::Text("mode", "wrap")]);
        self.op("Conv", &[&wrapped, &kernel])
    }

    /// Tells each cell about its lines, or about the whole board.
    fn mix(&mut self, x: &str) -> String {
        let directions: &[&[i64]] = match self.net.shape().geometry {
            Geometry::SquareTorus => &[&[3], &[2]],
            Geometry::HexTorus | Geometry::Rhombus => &[&[2, 3]],
        };
        let (layout, n_filters) = (self.net.layout(), self.net.shape().n_filters);
        let mut sum = x.to_owned();
        for axes in directions {
            // Filters come last for a matrix product, and go back to their place.
            let kept = self.pool_keeping(x, axes);
            let last = self.transpose(&kept, &[0, 2, 3, 1]);
            let weights = self.numbers(layout.pool.weights);
            let weights = self.constant(&[2 * n_filters, n_filters], &weights);
            let bias = self.numbers(layout.pool.bias);
            let bias = self.constant(&[n_filters], &bias);
            let hidden = self.op("MatMul", &[&last, &weights]);
            let hidden = self.op("Add", &[&hidden, &bias]);
            let hidden = self.op("Relu", &[&hidden]);
            let weights = self.numbers(layout.unpool);
            let weights = self.constant(&[n_filters, n_filters], &weights);
            let message = self.op("MatMul", &[&hidden, &weights]);
            let message = self.transpose(&message, &[0, 3, 1, 2]);
            sum = self.op("Add", &[&sum, &message]);
        }
        self.op("Relu", &[&sum])
    }

    fn policy(&mut self, x: &str, pooled: &str) {
        let (shape, layout) = (self.net.shape(), self.net.layout());
        let (n_planes, n_filters) = (shape.geometry.n_planes(), shape.n_filters);
        let weights = self.numbers(layout.policy.weights);
        let weights = self.constant(&[n_planes, n_filters, 1, 1], &weights);
        let bias = self.numbers(layout.policy.bias);
        let bias = self.constant(&[n_planes], &bias);
        let planes = self.op("Conv", &[x, &weights, &bias]);
        let cells = self.reshape(&planes, &[0, -1]);
        if shape.geometry.has_steal() {
            let steal = self.dense(pooled, &layout.steal, 2 * n_filters, 1);
            self.op_as("policy", "Concat", &[&cells, &steal], &[Attribute::Int("axis", 1)]);
        } else {
            self.op_as("policy", "Identity", &[&cells], &[]);
        }
    }

    /// Means and maxima over some axes, which stay with length 1.
    fn pool_keeping(&mut self, x: &str, axes: &[i64]) -> String {
        let axes = self.list(axes);
        let mean = self.op("ReduceMean", &[x, &axes]);
        let max = self.op("ReduceMax", &[x, &axes]);
        let name = self.name();
        self.op_as(&name, "Concat", &[&mean, &max], &[Attribute::Int("axis", 1)])
    }

    /// Means and maxima over some axes.
    fn pool(&mut self, x: &str, axes: &[i64]) -> String {
        let kept = self.pool_keeping(x, axes);
        self.reshape(&kept, &[0, -1])
    }

    fn dense(&mut self, x: &str, layer: &Layer, n_inputs: usize, n_outputs: usize) -> String {
        self.dense_of(x, layer.weights, layer.bias, n_inputs, n_outputs)
    }

    fn dense_of(&mut self, x: &str, weights: Span, bias: Span, n_inputs: usize, n_outputs: usize) -> String {
        let (weights, bias) = (self.numbers(weights), self.numbers(bias));
        let weights = self.constant(&[n_inputs, n_outputs], &weights);
        let bias = self.constant(&[n_outputs], &bias);
        self.op("Gemm", &[x, &weights, &bias])
    }

    fn add_and_cut(&mut self, a: &str, b: &str) -> String {
        let sum = self.op("Add", &[a, b]);
        self.op("Relu", &[&sum])
    }

    fn reshape(&mut self, x: &str, shape: &[i64]) -> String {
        let shape = self.list(shape);
        self.op("Reshape", &[x, &shape])
    }

    fn transpose(&mut self, x: &str, order: &[i64]) -> String {
        let name = self.name();
        self.op_as(&name, "Transpose", &[x], &[Attribute::Ints("perm", order.to_vec())])
    }

    /// The numbers of one of the net's tensors.
    fn numbers(&self, span: Span) -> Vec<f32> {
        let is_it = |tensor: &&yarra_engine::net::conv::shape::TensorInfo| tensor.span == span;
        let tensor = self.net.layout().tensors.iter().find(is_it).expect("a tensor of the layout");
        tensor.numbers(&self.net.params)
    }

    fn constant(&mut self, shape: &[usize], numbers: &[f32]) -> String {
        let name = self.name();
        self.put(5, floats(&name, shape, numbers));
        name
    }

    fn list(&mut self, numbers: &[i64]) -> String {
        let name = self.name();
        self.put(5, integers(&name, numbers));
        name
    }

    fn op(&mut self, kind: &str, inputs: &[&str]) -> String {
        let name = self.name();
        self.op_as(&name, kind, inputs, &[])
    }

    fn op_as(&mut self, output: &str, kind: &str, inputs: &[&str], attributes: &[Attribute]) -> String {
        let node = inputs.iter().fold(Message::new(), |node, input| node.text(1, input));
        let node = node.text(2, output).text(3, output).text(4, kind);
        let node = attributes.iter().fold(node, |node, attribute| node.message(5, attribute.message()));
        self.put(1, node);
        output.to_owned()
    }

    fn put(&mut self, field: u32, message: Message) {
        self.body = std::mem::take(&mut self.body).message(field, message);
    }

    fn name(&mut self) -> String {
        self.n_values += 1;
        format!("v{}", self.n_values)
    }
}
