//! Our agents as Python packages for the official referee of the course.

use serde_json::Value;
use yarra_engine::AgentSpec;
use yarra_games::{GameInfo, cachex, infexion, tetress};

/// What differs between the games' packages.
struct Template {
    game: &'static GameInfo,
    /// The module with the agent's class.
    module: &'static str,
    class: &'static str,
    text: &'static str,
    /// The referee's arguments before the names of the players.
    first_args: &'static str,
}

const TEMPLATES: [Template; 3] = [
    Template {
        game: &infexion::INFO,
        module: "program",
        class: "Agent",
        text: include_str!("../python/export/infexion.py"),
        first_args: "",
    },
    Template {
        game: &tetress::INFO,
        module: "program",
        class: "Agent",
        text: include_str!("../python/export/tetress.py"),
        first_args: "",
    },
    Template {
        game: &cachex::CACHEX,
        module: "player",
        class: "Player",
        text: include_str!("../python/export/cachex.py"),
        first_args: "9 ",
    },
];

const ENGINE: &str = include_str!("../python/export/engine.py");

/// A Python package that relays moves between the official referee and `yarra ugi`.
pub struct Package {
    /// Its files: name and text.
    pub files: Vec<(String, String)>,
    first_args: &'static str,
}

impl Package {
    /// The package of an agent; `binary` is the absolute path of the program to run.
    ///
    /// # Errors
    /// If there is no official referee for the game.
    pub fn new(game: &GameInfo, agent: &AgentSpec, binary: &str) -> Result<Package, String> {
        let Some(template) = TEMPLATES.iter().find(|template| template.game.name == game.name) else {
            let names: Vec<_> = TEMPLATES.iter().map(|template| template.game.name).collect();
            return Err(format!(
                "expected a game with an official referee, one of {}, found {:?}",
                names.join(", "),
                game.name
            ));
        };
        let Template { module, class, text, first_args, .. } = template;
        let program = text
            .replace("\"@YARRA@\"", &Value::from(binary).to_string())
            .replace("\"@AGENT@\"", &Value::from(agent.as_str()).to_string());
        let files = vec![
            ("__init__.py".to_owned(), format!("from .{module} import {class}\n")),
            (format!("{module}.py"), program),
            ("engine.py".to_owned(), ENGINE.to_owned()),
        ];
        Ok(Package { files, first_args })
    }

    /// The command with which the package plays against itself, under a package name.
    pub fn example(&self, name: &str) -> String {
        format!("python -m referee {}{name} {name}", self.first_args)
    }
}
