//! tmp
use yarra_games::{perft::*, *};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let r = Record::read(&a[1], None, a[4..].iter().map(String::as_str)).unwrap();
    let leaves = if a[3] == "m" { Leaves::Made } else { Leaves::Counted };
    let t = std::time::Instant::now();
    let n = perft(&r, a[2].parse().unwrap(), leaves);
    println!("{n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
    struct P;
    impl Work for P {
        type Output = ();
        fn run<G: Game>(self, p: &G) {
            let mut rng = fastrand::Rng::with_seed(1);
            let t = std::time::Instant::now();
            let (mut n, mut m) = (0u64, 0u64);
            while t.elapsed().as_millis() < 500 {
                for _ in 0..100 {
                    m += playout::playout(p, &mut rng).n_moves as u64;
                    n += 1;
                }
            }
            let s = t.elapsed().as_secs_f64();
            println!(
                "{} playouts/s {:.0} moves/s {:.1}M len {:.1}",
                p.spec(),
                n as f64 / s,
                m as f64 / s / 1e6,
                m as f64 / n as f64
            );
        }
    }
    with_game(r.now(), P);
}
