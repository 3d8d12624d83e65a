//! The agents of the five reports: one folder per report, each function with the section it implements.
//!
//! Every constant of a report is an option of its agents, with the report's value as the default.
//! [`judges`] lists the evaluations by name, for agents that are assembled from parts.

pub mod entourage;
pub mod insight;
pub mod judges;
pub mod psotip;
pub mod raccoons;
pub mod tbd;
