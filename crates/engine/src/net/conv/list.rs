//! The list of the games that nets play.

use std::any::Any;

use yarra_games::Position;
use yarra_games::cachex::{Cachex, Hex, U256};
use yarra_games::infexion::Infexion;
use yarra_games::tetress::Tetress;

use super::NetGame;

macro_rules! net_games {
    ($($type:ty),+) => {
        /// A position as nets see it; `None` if no net plays its game.
        pub fn net_game(pos: &dyn Position) -> Option<&dyn NetGame> {
            let any = pos as &dyn Any;
            $(if let Some(pos) = any.downcast_ref::<$type>() {
                return Some(pos);
            })+
            None
        }
    };
}

net_games!(Infexion, Tetress, Cachex<u64>, Cachex<u128>, Cachex<U256>, Hex<u64>, Hex<u128>, Hex<U256>);
