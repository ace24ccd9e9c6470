//! A fuzz test without a fuzzer: boards of the corpus with bytes changed, cut out, doubled and spliced. Each result is
//! parsed or refused with an error; nothing panics. `LIGHTS_OUT_LONG=1` makes the test longer.

use rand_core::Rng;
use rand_pcg::Pcg32;
use solve::{Matrix, solve};

fn corpus() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn mutated_boards_are_parsed_or_refused() {
    let corpus = corpus();
    assert!(corpus.len() >= 7);
    let rounds = if std::env::var("LIGHTS_OUT_LONG").as_deref() == Ok("1") { 5_000_000 } else { 300_000 };
    let mut rng = Pcg32::new(0xB0, 0x22);
    let mut random = |below: usize| rng.next_u32() as usize % below.max(1);
    let (mut read, mut solved) = (0, 0);
    for _ in 0..rounds {
        let mut bytes = corpus[random(corpus.len())].clone();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            match random(6) {
                0 if !bytes.is_empty() => bytes[at] = b"01 \n\r\tx\0\xff#"[random(10)],
                1 if !bytes.is_empty() => bytes[at] ^= 1 << random(8),
                2 => bytes.truncate(at),
                3 => bytes.insert(at, b"01\n "[random(4)]),
                4 => {
                    let line = bytes.clone();
                    bytes.extend(line);
                }
                _ => {
                    let other = &corpus[random(corpus.len())];
                    bytes.truncate(at);
                    bytes.extend(other.iter().skip(at));
                }
            }
        }
        match Matrix::read(&bytes[..]) {
            Ok(board) => {
                read += 1;
                assert_eq!(
                    Matrix::read(board.to_string().as_bytes()).unwrap(),
                    board,
                    "text that was printed is parsed to the same board"
                );
                solved += u32::from(solve(&board).is_some());
            }
            Err(error) => {
                let message = error.to_string();
                assert!(
                    !message.is_empty() && !message.contains('\n') && !message.contains('\0'),
                    "one line without control characters: {message:?}"
                );
            }
        }
    }
    println!("{rounds} mutated boards: {read} were parsed, {solved} of these have a solution");
    assert!(read > rounds / 100 && solved > 0 && solved < read);
}
