//! The list of recipes.

use crate::{RecipeInfo, RunError, nnue, raccoons, zero};

/// All recipes. A new one needs a line here.
pub const RECIPES: &[RecipeInfo] = &[zero::INFO, nnue::INFO, raccoons::INFO];

/// A recipe by its name.
///
/// # Errors
/// If there is none, with those that there are.
pub fn recipe(name: &str) -> Result<&'static RecipeInfo, RunError> {
    RECIPES.iter().find(|info| info.name == name).ok_or_else(|| {
        let names: Vec<_> = RECIPES.iter().map(|info| info.name).collect();
        RunError::new(format!("no recipe {name:?}; there are {}", names.join(", ")))
    })
}
