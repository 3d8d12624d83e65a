//! Net files: tensors with metadata, in the safetensors format, which PyTorch and NumPy read too.
//!
//! The bytes follow from the contents alone, so that two runs can be compared by their files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};

/// The version of the format that is written. Files of another version are refused.
pub const VERSION: &str = "1";

/// The file in a run's directory that holds the net to play with.
pub const NET_NAME: &str = "net.safetensors";

/// Tensors by name, and text about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NetFile {
    /// What the net is: `kind`, `game`, `version`, and how it was made.
    pub meta: BTreeMap<String, String>,
    /// The tensors by name.
    pub tensors: BTreeMap<String, Tensor>,
}

/// An array of numbers, the last index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// The numbers.
    pub data: TensorData,
}

/// The numbers of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorData {
    /// Floats.
    F32(Vec<f32>),
    /// Words of 16 bits.
    I16(Vec<i16>),
    /// Words of 32 bits.
    I32(Vec<i32>),
    /// Words of 64 bits.
    U64(Vec<u64>),
    /// Bytes.
    U8(Vec<u8>),
}

/// A type of numbers that tensors hold.
pub trait Number: Copy {
    /// The name of the type in an error.
    const NAME: &'static str;
    /// Tensor data of this type.
    fn wrap(numbers: Vec<Self>) -> TensorData;
    /// The numbers, if they are of this type.
    fn of(data: &TensorData) -> Option<&[Self]>;
}

macro_rules! numbers {
    ($($type:ty, $variant:ident;)*) => {
        $(impl Number for $type {
            const NAME: &'static str = stringify!($variant);

            fn wrap(numbers: Vec<$type>) -> TensorData {
                TensorData::$variant(numbers)
            }

            fn of(data: &TensorData) -> Option<&[$type]> {
                if let TensorData::$variant(numbers) = data { Some(numbers) } else { None }
            }
        })*

        impl TensorData {
            fn name(&self) -> &'static str {
                match self {
                    $(TensorData::$variant(_) => <$type>::NAME,)*
                }
            }

            fn len(&self) -> usize {
                match self {
                    $(TensorData::$variant(numbers) => numbers.len(),)*
                }
            }

            fn bytes(&self) -> Vec<u8> {
                match self {
                    $(TensorData::$variant(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),)*
                }
            }

            fn read(dtype: Dtype, bytes: &[u8]) -> Option<TensorData> {
                match dtype {
                    $(Dtype::$variant => {
                        let numbers = bytes.chunks_exact(size_of::<$type>());
                        let number = |word: &[u8]| <$type>::from_le_bytes(word.try_into().expect("a whole word"));
                        Some(TensorData::$variant(numbers.map(number).collect()))
                    })*
                    _ => None,
                }
            }
        }
    };
}

numbers! {
    f32, F32;
    i16, I16;
    i32, I32;
    u64, U64;
    u8, U8;
}

impl NetFile {
    /// A file without tensors. `kind` is the kind of net, such as `zero`; `game` is the game that it plays.
    pub fn new(kind: &str, game: &str) -> NetFile {
        let meta = [("version", VERSION), ("kind", kind), ("game", game)];
        let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        NetFile { meta: meta.map(owned).into(), tensors: BTreeMap::new() }
    }

    /// Adds a tensor.
    ///
    /// # Panics
    /// If the shape has another number of elements.
    pub fn add<T: Number>(&mut self, name: &str, shape: &[usize], numbers: Vec<T>) {
        assert_eq!(shape.iter().product::<usize>(), numbers.len(), "the shape of {name}");
        self.tensors.insert(name.to_owned(), Tensor { shape: shape.to_vec(), data: T::wrap(numbers) });
    }

    /// Adds text about the net.
    pub fn tell(&mut self, key: &str, value: impl fmt::Display) {
        self.meta.insert(key.to_owned(), value.to_string());
    }

    /// The numbers of a tensor that must have this shape.
    ///
    /// # Errors
    /// If there is none, or one of another type or shape.
    pub fn get<T: Number>(&self, name: &str, shape: &[usize]) -> Result<&[T], NetError> {
        let tensor =
            self.tensors.get(name).ok_or_else(|| NetError::new(format!("expected a tensor {name}")))?;
        let numbers = T::of(&tensor.data).filter(|_| tensor.shape == shape);
        numbers.ok_or_else(|| {
            let found = format!("{} {:?}", tensor.data.name(), tensor.shape);
            NetError::new(format!("tensor {name}: expected {} {shape:?}, found {found}", T::NAME))
        })
    }

    /// A piece of metadata, parsed.
    ///
    /// # Errors
    /// If it is missing or cannot be parsed.
    pub fn told<T: std::str::FromStr>(&self, key: &str) -> Result<T, NetError> {
        let text = self.meta.get(key).ok_or_else(|| NetError::new(format!("expected metadata {key:?}")))?;
        text.parse().map_err(|_| NetError::new(format!("metadata {key:?}: unexpected value {text:?}")))
    }

    /// Fails unless this is a net of some kind for some game.
    ///
    /// # Errors
    /// With what it is instead.
    pub fn check(&self, kind: &str, game: &str) -> Result<(), NetError> {
        for (key, expected) in [("kind", kind), ("game", game)] {
            let found: String = self.told(key)?;
            if found != expected {
                return Err(NetError::new(format!("expected a net of {key} {expected}, found {found}")));
            }
        }
        Ok(())
    }

    /// The file as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!(self.meta));
        let mut data = Vec::new();
        // The format wants wide types first, so that every tensor is aligned.
        let mut tensors: Vec<_> = self.tensors.iter().collect();
        tensors.sort_by_key(|(_, tensor)| std::cmp::Reverse(tensor.width()));
        for (name, tensor) in tensors {
            let start = data.len();
            data.extend(tensor.data.bytes());
            let offsets = [start, data.len()];
            let entry = json!({"dtype": tensor.data.name(), "shape": tensor.shape, "data_offsets": offsets});
            header.insert(name.clone(), entry);
        }
        let mut text = Value::Object(header).to_string();
        text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
        let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
        bytes.extend(text.as_bytes());
        bytes.extend(data);
        bytes
    }

    /// Reads a file's bytes.
    ///
    /// # Errors
    /// If they are not a net of this version, or were cut off.
    pub fn read(bytes: &[u8]) -> Result<NetFile, NetError> {
        let broken = |error| NetError::new(format!("expected a safetensors file, found {}", cause(&error)));
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(broken)?;
        let tensors = SafeTensors::deserialize(bytes).map_err(broken)?;
        let meta = header.metadata().iter().flatten().map(|(key, value)| (key.clone(), value.clone()));
        let mut file = NetFile { meta: meta.collect(), tensors: BTreeMap::new() };
        match file.meta.get("version").map(String::as_str) {
            Some(VERSION) => {}
            Some(other) => {
                let found = format!("version {other:?}");
                return Err(NetError::new(format!("expected a net of version {VERSION}, found {found}")));
            }
            None => {
                return Err(NetError::new("expected a net made by yarra, found another safetensors file"));
            }
        }
        for (name, view) in tensors.tensors() {
            let unknown = || NetError::new(format!("tensor {name}: unexpected type {:?}", view.dtype()));
            let data = TensorData::read(view.dtype(), view.data()).ok_or_else(unknown)?;
            file.tensors.insert(name, Tensor { shape: view.shape().to_vec(), data });
        }
        Ok(file)
    }

    /// Reads a file, or the net of a run's directory.
    ///
    /// # Errors
    /// If it cannot be read or is not a net, with the path.
    pub fn open(path: &Path) -> Result<NetFile, NetError> {
        let path = if path.is_dir() { path.join(NET_NAME) } else { path.to_owned() };
        let read = || NetFile::read(&std::fs::read(&path).map_err(|error| NetError::new(error.to_string()))?);
        read().map_err(|error| error.at(&path))
    }
}

impl Tensor {
    fn width(&self) -> usize {
        self.data.bytes().len() / self.data.len().max(1)
    }
}

/// What is wrong with the bytes, in words for people.
fn cause(error: &safetensors::SafeTensorError) -> &'static str {
    use safetensors::SafeTensorError as E;
    match error {
        E::HeaderTooSmall | E::MetadataIncompleteBuffer => "one that was cut off",
        E::InvalidHeaderLength | E::HeaderTooLarge => "another kind of file, or one that was cut off",
        _ => "another kind of file",
    }
}

/// Why a net cannot be used, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetError(String);

impl NetError {
    /// An error with a message.
    pub fn new(message: impl Into<String>) -> NetError {
        NetError(message.into())
    }

    /// The same error with the file that it is about.
    #[must_use]
    pub fn at(self, path: &Path) -> NetError {
        let path: PathBuf = path.into();
        NetError(format!("{}: {}", path.display(), self.0))
    }
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NetError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> NetFile {
        let mut file = NetFile::new("zero", "infexion");
        file.tell("seed", 7);
        file.add("b", &[2, 2], vec![1.0_f32, -2.5, f32::MIN_POSITIVE, 0.0]);
        file.add("a", &[3], vec![1_i16, -2, 3]);
        file.add("c", &[1], vec![u64::MAX]);
        file.add("d", &[5], vec![1_u8, 2, 3, 4, 5]);
        file.add("e", &[0], Vec::<i32>::new());
        file
    }

    #[test]
    fn a_file_reads_back() {
        let bytes = file().to_bytes();
        assert_eq!(NetFile::read(&bytes).expect("our own file"), file());
        assert_eq!(bytes, file().to_bytes());
    }

    #[test]
    fn what_is_missing_or_different_is_named() {
        let file = file();
        assert_eq!(file.get::<f32>("b", &[2, 2]).expect("it is there").len(), 4);
        assert_eq!(file.told::<u64>("seed"), Ok(7));
        let text = |error: Result<&[f32], NetError>| error.expect_err("a wrong tensor").to_string();
        assert_eq!(text(file.get("x", &[1])), "expected a tensor x");
        assert_eq!(text(file.get("b", &[4])), "tensor b: expected F32 [4], found F32 [2, 2]");
        assert_eq!(text(file.get("a", &[3])), "tensor a: expected F32 [3], found I16 [3]");
        assert!(file.check("zero", "infexion").is_ok());
        let error = file.check("zero", "tetress").expect_err("another game");
        assert_eq!(error.to_string(), "expected a net of game tetress, found infexion");
    }

    #[test]
    fn a_file_that_was_cut_off_or_changed_is_refused() {
        let bytes = file().to_bytes();
        for len in 0..bytes.len() {
            let error = NetFile::read(&bytes[..len]).expect_err("a part of a file").to_string();
            assert!(error.contains("cut off") || error.contains("another kind"), "{len}: {error}");
        }
        let mut other = file();
        other.tell("version", 2);
        let error = NetFile::read(&other.to_bytes()).expect_err("another version").to_string();
        assert_eq!(error, "expected a net of version 1, found version \"2\"");
        other.meta.clear();
        assert!(NetFile::read(&other.to_bytes()).is_err());
        assert!(NetFile::read(b"PK\x03\x04 something else entirely").is_err());
    }
}
