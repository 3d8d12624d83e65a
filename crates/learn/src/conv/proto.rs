//! The few messages of the ONNX format that a net needs, in protocol buffers' encoding.

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub struct Message(Vec<u8>);

impl Message {
    /// A message that starts empty.
    pub fn new() -> Message {
        Message::default()
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds an integer.
    pub fn int(mut self, field: u32, value: i64) -> Message {
        self.varint(u64::from(field) << 3);
        self.varint(value as u64);
        self
    }

    /// Adds bytes.
    pub fn bytes(mut self, field: u32, bytes: &[u8]) -> Message {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    /// Adds a text.
    pub fn text(self, field: u32, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    /// Adds a message within this one.
    pub fn message(self, field: u32, message: Message) -> Message {
        self.bytes(field, &message.0)
    }

    fn varint(&mut self, mut value: u64) {
        while 0x80 <= value {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

/// An attribute of an operator.
#[derive(Clone, Debug)]
pub enum Attribute {
    /// Integers.
    Ints(&'static str, Vec<i64>),
    /// One integer.
    Int(&'static str, i64),
    /// A text.
    Text(&'static str, &'static str),
}

impl Attribute {
    /// The attribute as a message.
    pub fn message(&self) -> Message {
        match self {
            Attribute::Ints(name, ints) => {
                let message =
                    ints.iter().fold(Message::new().text(1, name), |message, &int| message.int(8, int));
                message.int(20, 7)
            }
            Attribute::Int(name, int) => Message::new().text(1, name).int(3, *int).int(20, 2),
            Attribute::Text(name, text) => Message::new().text(1, name).text(4, text).int(20, 3),
        }
    }
}

/// A tensor of floats.
pub fn floats(name: &str, shape: &[usize], numbers: &[f32]) -> Message {
    assert_eq!(shape.iter().product::<usize>(), numbers.len(), "the shape of {name}");
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tensor(name, shape, 1, &raw)
}

/// A list of integers.
pub fn integers(name: &str, numbers: &[i64]) -> Message {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    tensor(name, &[numbers.len()], 7, &raw)
}

fn tensor(name: &str, shape: &[usize], kind: i64, raw: &[u8]) -> Message {
    let message = shape.iter().fold(Message::new(), |message, &len| message.int(1, len as i64));
    message.int(2, kind).text(8, name).bytes(9, raw)
}

/// The name and shape of an input or output of floats, with any number of boards.
pub fn value(name: &str, shape: &[usize]) -> Message {
    let boards = Message::new().message(1, Message::new().text(2, "boards"));
    let shape = shape.iter().fold(boards, |shape, &len| shape.message(1, Message::new().int(1, len as i64)));
    let tensor = Message::new().int(1, 1).message(2, shape);
    Message::new().text(1, name).message(2, Message::new().message(1, tensor))
}
