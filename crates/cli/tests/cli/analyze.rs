//! `yarra analyze`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::room::{Room, prints};

/// Red's stack of five hangs, and red plays elsewhere.
const BLUNDER: &str = r#"{"game":"infexion","start":"......./.b2....r1/......./...r5b1../......./..r1..b3./....... r 20","moves":["6-6","3-4ul","0-0"],"winner":"blue","reason":"time","red":"</script><b>me","fault":{"player":"red","position":"","message":"2.1 s used of 2.0 s"}}"#;

/// A folder with a match of two games, and the game with the blunder.
fn room_with_games() -> Room {
    let room = Room::new();
    let args = ["match", "infexion", "greedy", "champion:nodes=300", "--games", "2", "--save", "games.jsonl"];
    assert_eq!(room.yarra(&args, "").code, 0);
    room.write("blunder.jsonl", BLUNDER);
    room
}

#[track_caller]
fn runs(room: &Room, args: &[&str]) -> String {
    let answer = room.yarra(&[&["analyze"], args].concat(), "");
    assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{args:?}");
    answer.out
}

#[track_caller]
fn object(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_position_has_lines_with_scores_and_chances() {
    let out = prints(&["analyze", "infexion", "--moves", "3-3 2-2", "--nodes", "3000"]);
    for part in [
        "ply 2, red to move, ",
        "\nchampion (nodes=3000) searches\n",
        "\ndepth  1 ",
        "\ndepth  3 ",
        "\n     red wins      score  line\n 1. ",
    ] {
        assert!(out.contains(part), "{part:?} is missing in {out}");
    }
    let args = ["analyze", "infexion", "--moves", "3-3 2-2", "--nodes", "3000", "--lines", "1", "--json"];
    let found = object(&prints(&args));
    assert_eq!((&found["game"], &found["turn"]), (&"infexion".into(), &"red".into()));
    assert_eq!(found["lines"].as_array().unwrap().len(), 1);
    let line = &found["lines"][0];
    assert_eq!(line["move"], line["line"][0]);
    let chance = line["chance"].as_f64().unwrap();
    assert!(0.2 < chance && chance < 0.8, "{line}");
    assert!(line["score"]["units"].is_f64() && line["score"]["plies_to_end"].is_null(), "{line}");
    assert!(0 < found["depth"].as_u64().unwrap() && 0 < found["nodes"].as_u64().unwrap());
}

#[test]
fn lines_are_sorted_and_start_with_different_moves() {
    let args = ["analyze", "infexion", "--moves", "3-3 2-2 3-4", "--nodes", "9000", "--lines", "3", "--json"];
    let found = object(&prints(&args));
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3, "{found}");
    assert!(lines.is_sorted_by(|a, b| a["chance"].as_f64() >= b["chance"].as_f64()), "{found}");
    let mut moves: Vec<&str> = lines.iter().map(|line| line["move"].as_str().unwrap()).collect();
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), lines.len(), "{found}");
}

#[test]
fn every_game_can_be_analyzed() {
    for game in ["infexion", "tetress", "cachex:5", "hex:4"] {
        let found = object(&prints(&["analyze", game, "--nodes", "200", "--json"]));
        assert!(found["lines"][0]["move"].is_string(), "{found}");
    }
}

#[test]
fn a_forced_win_is_certain() {
    let position = "r..../r..../r..../r..../.bbbb r 8";
    let out = prints(&["analyze", "hex:5", "--position", position, "--depth", "2", "--json"]);
    let line = &object(&out)["lines"][0];
    assert_eq!(
        (line["chance"].as_f64(), line["score"]["plies_to_end"].as_i64()),
        (Some(1.0), Some(1)),
        "{out}"
    );
}

#[test]
fn a_match_is_reviewed_as_json() {
    let room = room_with_games();
    let review = object(&runs(&room, &["games.jsonl", "--game", "2", "--nodes", "300", "--json"]));
    assert_eq!(review["game"], "infexion");
    assert_eq!((&review["analyst"], &review["limits"]), (&"champion".into(), &"nodes=300".into()));
    assert_eq!(review["players"]["blue"]["name"], "greedy");
    assert_eq!(review["is_complete"], true);
    assert!(review["ending"]["words"].as_str().unwrap().starts_with("Red wins: "), "{}", review["ending"]);
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(review["red_chances"].as_array().unwrap().len(), moves.len() + 1);
    let last_chance = review["red_chances"][moves.len()].as_f64();
    assert_eq!(last_chance, Some(1.0));
    let mut n_judged = [0, 0];
    for (idx, m) in moves.iter().enumerate() {
        assert_eq!(m["number"].as_u64(), Some(idx as u64 + 1));
        assert_eq!(m["player"], ["red", "blue"][idx % 2]);
        assert_eq!(m["is_opening"], idx < 4);
        assert_eq!(m["judgment"].is_string(), 4 <= idx, "{m}");
        n_judged[idx % 2] += u64::from(m["judgment"].is_string());
        let Some(loss) = m["loss"].as_f64() else { continue };
        let [before, after] = ["chance_before", "chance_after"].map(|name| m[name].as_f64().unwrap());
        assert!((before - after - loss).abs() < 1e-9 || loss == 0.0, "{m}");
        let is_error = 0.05 <= loss;
        assert_eq!(m["why"].is_string(), is_error, "{m}");
        assert_eq!(m["better"].as_array().unwrap().is_empty(), !is_error, "{m}");
        assert!(m["seconds"].is_f64(), "{m}");
    }
    for (player, n_judged) in ["red", "blue"].into_iter().zip(n_judged) {
        let summary = &review["players"][player];
        assert_eq!(summary["n_judged"].as_u64(), Some(n_judged));
        let counts = summary["counts"].as_object().unwrap();
        assert_eq!(counts.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), n_judged);
        assert!((0.0..=100.0).contains(&summary["accuracy"].as_f64().unwrap()));
        assert!(summary["time"]["total"].is_f64(), "{summary}");
    }
    let again = object(&runs(&room, &["infexion", "games.jsonl", "--game", "2", "--nodes", "300", "--json"]));
    assert_eq!(review, again);
}

#[test]
fn the_text_explains_what_went_wrong() {
    let room = room_with_games();
    let out = runs(&room, &["blunder.jsonl", "--nodes", "4000"]);
    for part in [
        "infexion: </script><b>me (red) against unknown (blue), 3 moves\n",
        "Blue wins, not on the board: red exceeded its time limit. On the board red had a chance of ",
        "\n  2.1 s used of 2.0 s\n",
        "\nred's chance to win, with a mark below each blunder\n100 % |",
        "\n       start    move 23\n",
        "\naccuracy ",
        "\nAccuracy: 100 % if no move lost any chance to win; ",
        "\nblunders      1                               0\n",
        "\ncostliest     21. 6-6 (-",
        "\n  21. 6-6??",
        "\n21. red 6-6, a blunder: red's chance falls from ",
        "\n    better: 3-3dr ",
        "\n    answer: 3-4ul ",
    ] {
        assert!(out.contains(part), "{part:?} is missing in {out}");
    }
    assert!(!out.contains('\u{1b}') && !out.contains('█'), "{out}");
    let colored = runs(&room, &["blunder.jsonl", "--nodes", "4000", "--color", "always"]);
    assert!(colored.contains("\u{1b}[31m\u{1b}[44m") && colored.contains('█'), "{colored}");
}

#[test]
fn traces_of_the_referee_are_reviewed_in_every_game() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/conformance");
    for game in ["infexion", "tetress", "cachex"] {
        let file = data.join(format!("{game}.jsonl"));
        let args = [game, file.to_str().unwrap(), "--game", "2", "--nodes", "30", "--json"];
        let review = object(&runs(&Room::new(), &args));
        assert!(review["moves"][0]["judgment"].is_string(), "{game}");
        assert!(review["ending"]["reason"].is_string(), "{game}");
        assert_eq!(review["players"]["red"]["time"], Value::Null);
    }
}

#[test]
fn a_position_of_a_game_can_be_analyzed() {
    let room = room_with_games();
    let args = ["blunder.jsonl", "--ply", "21", "--nodes", "4000", "--json"];
    let found = object(&runs(&room, &args));
    assert_eq!(found["lines"][0]["move"], "3-4ul");
    assert_eq!(found["turn"], "blue");
}

/// The page without its data, which may contain anything.
fn without_data(page: &str) -> String {
    let (begin, rest) = page.split_once(r#"<script type="application/json" id="data">"#).unwrap();
    let (data, end) = rest.split_once("</script>").unwrap();
    assert!(serde_json::from_str::<Value>(data).is_ok(), "{data}");
    format!("{begin}{end}")
}

#[test]
fn the_page_is_self_contained_and_escapes_names() {
    let room = room_with_games();
    let out = runs(&room, &["blunder.jsonl", "--nodes", "2000", "--html", "review.html"]);
    assert!(out.ends_with("\nwrote the review to review.html: open it in a browser\n"), "{out}");
    let page = room.read("review.html");
    assert!(page.starts_with("<!doctype html>"));
    assert!(!page.contains("%%") && !page.contains("<b>me"), "a name has got out");
    assert!(
        page.contains("<title>infexion: &lt;/script&gt;&lt;b&gt;me (red) against unknown (blue)</title>")
    );
    let rest = without_data(&page).replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!rest.contains(word), "the page loads something: {word}");
    }
    assert!(!room.path().join("review.html.0.tmp").exists());
}

/// The output of a page in a browser, opened at a fragment, after a test script.
pub fn in_a_browser(room: &Room, page: &str, place: &str, script: &str) -> Option<String> {
    let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
    room.write("test.html", &page);
    let address = format!("file://{}#{place}", room.path().join("test.html").display());
    let profile = format!("--user-data-dir={}", room.path().join("profile").display());
    let flags = ["--headless", "--no-sandbox", "--disable-gpu", &profile, "--dump-dom", &address];
    let output = Command::new("chromium").args(flags).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_browser_steps_through_the_page() {
    let room = room_with_games();
    runs(&room, &["blunder.jsonl", "--nodes", "2000", "--html", "review.html"]);
    let page = room.read("review.html");
    // Each step reports the fragment, the note, and the numbers of stones, rims and rings.
    let script = r##"
        const told = [];
        const tell = () => told.push([location.hash, document.getElementById("note").textContent.slice(0, 24),
            layer.querySelectorAll(".stone").length, layer.querySelectorAll(".rim").length,
            layer.querySelectorAll(".hint").length].join("|"));
        const press = (key) => { document.dispatchEvent(new KeyboardEvent("keydown", { key })); tell(); };
        tell();
        ["ArrowLeft", "ArrowLeft", "ArrowDown", "b", "ArrowRight", "Escape", "End", "ArrowRight"].forEach(press);
        document.getElementById("slider").value = 2;
        document.getElementById("slider").dispatchEvent(new Event("input"));
        tell();
        const box = graph.getBoundingClientRect();
        graph.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width / 3, clientY: box.top }));
        tell();
        document.querySelectorAll("#moves button")[2].click();
        tell();
        document.body.innerHTML = "";
        document.body.append("told: ", told.join("\n"));
    "##;
    let Some(dom) = in_a_browser(&room, &page, "1", script) else {
        // `./test` installs a browser if it can.
        return;
    };
    let told = dom.split_once("told: ").unwrap_or_else(|| panic!("the script failed: {dom}")).1;
    let told: Vec<&str> = told.lines().take(12).map(|line| line.split('<').next().unwrap()).collect();
    let expected = [
        "#1|21. red 6-6 – blunderRed|7|1|",
        "#0|The start: red's chance |6|0|0",
        "#0|The start: red's chance |6|0|0",
        "#1|21. red 6-6 – blunderRed|7|1|",
        "#1-better-1|21. red 6-6 – blunderRed|",
        "#1-better-2|21. red 6-6 – blunderRed|",
        "#1|21. red 6-6 – blunderRed|7|1|",
        "#4|red – time2.1 s used of ",
        "#4|red – time2.1 s used of ",
        "#2|22. blue 3-4ul – best",
        "#1|21. red 6-6 – blunderRed|7|1|",
        "#3|23. red 0-0 – ",
    ];
    for (told, expected) in told.iter().zip(expected) {
        assert!(told.starts_with(expected), "expected {expected}, found {told}");
    }
    assert_eq!(told.len(), expected.len(), "{told:?}");
    // The better move changes five cells on its line; the stack that leaves is the sixth.
    assert!(told[0].ends_with("|6"), "{}", told[0]);
}

/// Presses Ctrl-C.
fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_the_results_so_far() {
    let room = room_with_games();
    // The draft of the page exists once the program handles Ctrl-C.
    let draft = room.path().join("part.html.0.tmp");
    let args = ["analyze", "games.jsonl", "--game", "1", "--time", "60s", "--html", "part.html"];
    let child = room.command(&args).spawn().unwrap();
    while !draft.exists() {
        sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!((output.status.code(), err.as_str()), (Some(130), "stopped: the analysis is not complete\n"));
    assert!(out.contains(" not judged\n"), "{out}");
    for part in
        ["champion searched only the last ", "; dots: not examined\n", "wrote the review so far to part.html"]
    {
        assert!(out.contains(part), "{part:?} is missing in {out}");
    }
    let page = room.read("part.html");
    assert!(page.ends_with("</html>\n") && !draft.exists());
    let script = r##"
        const cells = [...document.querySelectorAll("#players tr")].find((row) => row.textContent.startsWith("accuracy"));
        const told = [byId("partial").textContent, byId("footer").textContent.split(" (")[0],
            graph.querySelectorAll(".unseen").length, cells.textContent];
        document.body.innerHTML = "";
        document.body.append("told: ", told.join("|"));
    "##;
    let Some(dom) = in_a_browser(&room, &page, "1", script) else { return };
    let told = dom.split_once("told: ").unwrap_or_else(|| panic!("the script failed: {dom}")).1;
    assert!(told.starts_with("The review was stopped: the first "), "{told}");
    // Moves that were the only ones are judged at once, but they are not the player's accuracy in the game.
    assert!(told.contains("accuracy––") || told.contains(" moves)"), "{told}");
    assert!(told.contains("|champion searched the last ") && told.contains("|1|accuracy"), "{told}");

    let args = ["analyze", "infexion", "--time", "60s"];
    let mut child = room.command(&args).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    let is_at_work = out.any(|line| line.unwrap().ends_with(" searches"));
    assert!(is_at_work);
    interrupt(&child);
    let rest: Vec<String> = out.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.last().unwrap().starts_with(" 3. "), "{rest:?}");
}

#[test]
fn mistakes_are_explained() {
    let room = room_with_games();
    room.write("empty.jsonl", r#"{"game":"hex:3","moves":[]}"#);
    let table: &[(&[&str], &str)] = &[
        (
            &["chess"],
            "expected a game, one of infexion, tetress, cachex, hex, found \"chess\", and there is no such file",
        ),
        (
            &["chess", "games.jsonl"],
            "expected a game, one of infexion, tetress, cachex, hex, found \"chess\", before a file",
        ),
        (&["infexion", "none.jsonl"], "there is no file none.jsonl"),
        (&["infexion", "--position", "x"], "expected "),
        (&["infexion", "--moves", "9-9"], "expected "),
        (&["infexion", "--game", "2"], "--game and --ply need a file, but `infexion` is a game"),
        (&["infexion", "--html", "x.html"], "--html writes the review of a game, but this is a position"),
        (&["infexion", "--agent", "champoin"], "no agent \"champoin\" plays infexion; there are champion, "),
        (&["infexion", "--agent", "python:x"], "expected an agent of `yarra agents infexion`"),
        (&["games.jsonl"], "games.jsonl contains 2 games; choose one with --game N: 1 "),
        (&["games.jsonl", "--game", "3"], "expected a game from 1 to 2, found 3"),
        (
            &["cachex", "games.jsonl", "--game", "1"],
            "expected a game of cachex, but game 1 of games.jsonl is infexion",
        ),
        (&["games.jsonl", "--game", "1", "--ply", "999"], "expected a ply from 0 to "),
        (&["games.jsonl", "--game", "1", "--lines", "2"], "--lines needs a position, "),
        (&["blunder.jsonl", "--moves", "3-3"], "--position and --moves need a game, "),
        (&["blunder.jsonl", "--agent", "random"], "random gives no scores, and a review needs them"),
        (&["blunder.jsonl", "--html", "no/such/folder.html"], "cannot write no/such/folder.html: "),
        (&["empty.jsonl"], "expected a game with moves, found none"),
        (&["hex:3", "--position", "rrr/bb./... r 5"], "expected "),
    ];
    for (args, message) in table {
        let answer = room.yarra(&[&["analyze"], *args].concat(), "");
        assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{args:?}: {}", answer.err);
        let found = answer.err.strip_prefix("yarra: ").unwrap_or_else(|| panic!("{args:?}: {}", answer.err));
        assert!(found.starts_with(message) && answer.err.lines().count() == 1, "{args:?}: {found}");
    }
    for args in
        [&["analyze"][..], &["analyze", "infexion", "--lines", "0"], &["analyze", "hex:3", "--time", "5"]]
    {
        let answer = room.yarra(args, "");
        assert!(answer.code == 2 && answer.err.starts_with("error: "), "{args:?}: {}", answer.err);
    }
}
