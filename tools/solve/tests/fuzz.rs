//! Fuzzing that runs anywhere: boards from the corpus, with bytes changed, cut out, doubled and spliced. Whatever comes of
//! it is read or refused, never more. `LIGHTS_OUT_LONG=1` makes it longer.

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
fn no_mutation_of_a_board_breaks_the_reader_or_the_solver() {
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
                assert_eq!(Matrix::read(board.to_string().as_bytes()).unwrap(), board, "the text form goes round");
                solved += u32::from(solve(&board).is_some());
            }
            Err(error) => {
                let told = error.to_string();
                assert!(!told.is_empty() && !told.contains('\n') && !told.contains('\0'), "one clear line: {told:?}");
            }
        }
    }
    println!("{rounds} mutated boards: {read} were boards, {solved} of them could be solved");
    assert!(read > rounds / 100 && solved > 0 && solved < read);
}
