//! The bytes choose a game and its moves; the laws are checked at each position.

#![no_main]

use libfuzzer_sys::fuzz_target;
use yarra_games::{Game, MoveList, Player, Record, Work, start, with_game};

const SPECS: [&str; 9] =
    ["infexion", "tetress", "cachex:3", "cachex:4", "cachex:8", "cachex:9", "cachex:12", "hex:5", "hex:11"];

struct Laws(usize);

impl Work for Laws {
    type Output = ();

    fn run<G: Game>(self, pos: &G) {
        let again = G::read(&pos.to_string()).unwrap();
        assert_eq!(again, *pos, "the notation contains the whole position");
        assert_eq!((again.key(), again.repetition()), (pos.key(), pos.repetition()));
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        assert_eq!(moves.len(), pos.n_legal_moves());
        assert_eq!(moves.is_empty(), pos.outcome().is_some());
        assert!(moves.is_sorted_by(|a, b| a < b));
        let symmetry = self.0 % pos.n_symmetries();
        let image = pos.image(symmetry);
        let mut images = moves.iter().map(|&m| pos.image_move(symmetry, m)).collect::<Vec<_>>();
        images.sort();
        let mut moves_of_image = MoveList::new();
        image.legal_moves(&mut moves_of_image);
        assert_eq!(images, moves_of_image);
        let winner = |pos: &G| pos.outcome().map(|outcome| outcome.winner);
        let seen = |winner: Option<Player>| {
            if image.turn() == pos.turn() { winner } else { winner.map(Player::opponent) }
        };
        assert_eq!(winner(&image), winner(pos).map(seen));
    }
}

fuzz_target!(|bytes: &[u8]| {
    let [spec, late, symmetry, bytes @ ..] = bytes else { return };
    let mut first = start(SPECS[usize::from(*spec) % SPECS.len()]).unwrap();
    if late % 4 == 3 {
        let board = first.to_string().replace(" r 0", "");
        let ply = (first.turn_limit() - 2 - u16::from(*late).min(first.turn_limit() - 4)) / 2 * 2;
        first = yarra_games::read(&first.spec().to_string(), &format!("{board} r {ply}")).unwrap();
    }
    let mut record = Record::new(first);
    for pair in bytes.chunks_exact(2) {
        with_game(record.now(), Laws(usize::from(*symmetry) * 7 + record.moves().len()));
        if record.outcome().is_some() {
            break;
        }
        let mut moves = MoveList::new();
        record.now().legal_moves(&mut moves);
        let choice = usize::from(u16::from_le_bytes([pair[0], pair[1]]));
        record.play(moves[choice % moves.len()]);
    }
    let now = record.now().to_string();
    if let Some(m) = record.undo() {
        record.play(m);
        assert_eq!(record.now().to_string(), now, "undoing leads back");
    }
});
