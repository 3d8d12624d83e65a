//! Agents and engines that try to hold up, overwhelm or outwit the referee. Each is written into a temporary folder.

mod agents;
mod desk;
mod engines;
mod metering;
