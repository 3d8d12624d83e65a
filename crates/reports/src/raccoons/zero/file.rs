//! The net as a file, and the one that is built in.

use yarra_engine::net::{NetError, NetFile};

use super::design::{Design, Padding, Policy, View};
use super::net::Net;
use super::search::Rule;

/// The kind of these nets.
pub const KIND: &str = "raccoons";
const GAME: &str = "infexion";

/// The net that the recipe `raccoons` makes with its defaults.
const BUILT_IN: &[u8] = include_bytes!("../../../../../nets/raccoons-zero.safetensors");

/// A word for each value of a setting, for options and files.
pub trait Word: Copy + PartialEq + 'static {
    /// The name of the setting.
    const KEY: &'static str;
    /// All values with their words, that of the report first.
    const WORDS: &'static [(&'static str, Self)];

    /// The word of a value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).expect("every value has a word").0
    }

    /// The value of a word.
    fn of(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, value)| value)
    }

    /// The value that a file tells.
    ///
    /// # Errors
    /// If it tells none.
    fn told(file: &NetFile) -> Result<Self, NetError> {
        let word: String = file.told(Self::KEY)?;
        Self::of(&word).ok_or_else(|| NetError::new(format!("metadata {:?}: unexpected {word:?}", Self::KEY)))
    }
}

impl Word for Padding {
    const KEY: &'static str = "padding";
    const WORDS: &'static [(&'static str, Padding)] = &[("valid", Padding::Valid), ("torus", Padding::Torus)];
}

impl Word for Policy {
    const KEY: &'static str = "policy";
    const WORDS: &'static [(&'static str, Policy)] =
        &[("sigmoid", Policy::Sigmoid), ("softmax", Policy::Softmax)];
}

impl Word for View {
    const KEY: &'static str = "value";
    const WORDS: &'static [(&'static str, View)] = &[("red", View::Red), ("mover", View::Mover)];
}

impl Word for Rule {
    const KEY: &'static str = "search";
    const WORDS: &'static [(&'static str, Rule)] = &[("code", Rule::Code), ("puct", Rule::Puct)];
}

impl Net {
    /// The net as a file, with the search that it was trained with.
    pub fn to_file(&self, rule: Rule) -> NetFile {
        let mut file = NetFile::new(KIND, GAME);
        file.tell(Padding::KEY, self.design.padding.word());
        file.tell(Policy::KEY, self.design.policy.word());
        file.tell(View::KEY, self.design.view.word());
        file.tell(Rule::KEY, rule.word());
        self.add_to(&mut file, "");
        file
    }

    /// Adds the tensors to a file, with a prefix to their names.
    pub fn add_to(&self, file: &mut NetFile, prefix: &str) {
        for ((name, shape), params) in self.design.tensors().iter().zip(self.design.split(&self.params)) {
            file.add(&format!("{prefix}{name}"), shape, params.to_vec());
        }
    }

    /// Reads a net and the search that it was trained with.
    ///
    /// # Errors
    /// If the file holds another kind of net.
    pub fn from_file(file: &NetFile) -> Result<(Net, Rule), NetError> {
        file.check(KIND, GAME)?;
        let (padding, policy, view) = (Padding::told(file)?, Policy::told(file)?, View::told(file)?);
        let net = Net::with_prefix(file, Design { padding, policy, view }, "")?;
        Ok((net, Rule::told(file)?))
    }

    /// Reads the tensors that [`Net::add_to`] has added.
    ///
    /// # Errors
    /// If one is missing or has another shape.
    pub fn with_prefix(file: &NetFile, design: Design, prefix: &str) -> Result<Net, NetError> {
        let mut params = Vec::with_capacity(design.n_params());
        for (name, shape) in design.tensors() {
            params.extend_from_slice(file.get::<f32>(&format!("{prefix}{name}"), &shape)?);
        }
        Ok(Net::new(design, params))
    }

    /// The net that is built in.
    ///
    /// # Panics
    /// If the program was built with another kind of file; a test reads it.
    pub fn built_in() -> (Net, Rule) {
        let read = NetFile::read(BUILT_IN).and_then(|file| Net::from_file(&file));
        read.unwrap_or_else(|error| panic!("the net that is built in: {error}"))
    }
}
