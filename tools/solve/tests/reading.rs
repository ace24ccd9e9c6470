//! Tests of the parser: accepted text, error messages, and that no input makes it panic or read without end.

use std::io::{self, Read};

use proptest::prelude::*;
use solve::read::{MAX_BYTES, Position};
use solve::{MAX_SIZE, Matrix, ReadError};

fn accepted(text: impl AsRef<[u8]>) -> String {
    Matrix::read(text.as_ref()).expect("a board").to_string()
}

fn refused(text: impl AsRef<[u8]>) -> String {
    Matrix::read(text.as_ref()).expect_err("no board").to_string()
}

#[test]
fn spaces_line_ends_and_blank_lines_are_ignored() {
    let board = "110\n100\n011\n";
    for text in [
        "110\n100\n011\n",
        "110\n100\n011",
        "110\r\n100\r\n011\r\n",
        "110\r\n100\r\n011\r",
        "1 1 0\n1\t0\t0\n  0 1 1  \n",
        "\n\n \t\n110\n\n100\n\r\n011\n\n  \n\t",
        "\u{feff}110\n100\n011\n",
        "\u{feff}\r\n110\n100\n011\n",
    ] {
        assert_eq!(accepted(text), board, "{text:?}");
    }
    assert_eq!(accepted("0"), "0\n");
    assert_eq!(accepted("1"), "1\n");
}

#[test]
fn largest_board_with_spaces_is_accepted() {
    let text = ["1 ".repeat(MAX_SIZE), "\r\n".into()].concat().repeat(MAX_SIZE);
    assert_eq!(accepted(text), Matrix::from_rows(vec![u128::MAX; MAX_SIZE]).to_string());
}

#[test]
fn errors_have_a_message_and_a_position() {
    for (text, message) in [
        ("", "line 1, column 1: the input has no 0 or 1"),
        ("\u{feff}", "line 1, column 1: the input has no 0 or 1"),
        ("\n  \n", "line 3, column 1: the input has no 0 or 1"),
        ("110\n1x0\n011\n", "line 2, column 2: expected 0 or 1, found 'x'"),
        ("1 1 0\n1 0 2\n", "line 2, column 5: expected 0 or 1, found '2'"),
        ("\u{feff}1,1\n", "line 1, column 2: expected 0 or 1, found ','"),
        ("11\n1\u{e9}\n", "line 2, column 2: expected 0 or 1, found byte 0xc3"),
        ("11\n1\u{7f}\n", "line 2, column 2: expected 0 or 1, found byte 0x7f"),
        ("10\r01\r", "line 1, column 3: expected 0 or 1, found byte 0x0d"),
        ("1\r\r\n", "line 1, column 2: expected 0 or 1, found byte 0x0d"),
        ("10\n\u{feff}01", "line 2, column 1: expected 0 or 1, found byte 0xef"),
        ("110\n10\n011\n", "line 2, column 3: the row has 2 columns, but line 1 has 3"),
        ("\n110\r\n1\r\n011\n", "line 3, column 2: the row has 1 column, but line 2 has 3"),
        ("110\n100\n01", "line 3, column 3: the row has 2 columns, but line 1 has 3"),
        ("110\n1 0 0 1\n011\n", "line 2, column 7: the row has more than the 3 columns of line 1"),
        ("110\n100\n", "line 3, column 1: the input ends after 2 rows, but the board has 3 columns"),
        ("110\n100", "line 2, column 4: the input ends after 2 rows, but the board has 3 columns"),
        ("10", "line 1, column 3: the input ends after 1 row, but the board has 2 columns"),
        ("110\n100\n011\n\n 000\n", "line 5, column 2: more rows than the 3 columns"),
        ("1\n1\n", "line 2, column 1: more rows than the 1 column"),
    ] {
        assert_eq!(refused(text), message, "{text:?}");
    }
    assert_eq!(refused([0xEF, 0xBB, b'1']), "line 1, column 1: expected 0 or 1, found byte 0xef");
    assert_eq!(refused([0xEF]), "line 1, column 1: expected 0 or 1, found byte 0xef");
    assert_eq!(refused(b"\x7fELF\x02\x01"), "line 1, column 1: expected 0 or 1, found byte 0x7f");
    assert_eq!(refused("0".repeat(MAX_SIZE + 1)), "line 1, column 101: more than 100 columns");
    let square_of_101 = ["0".repeat(MAX_SIZE + 1), "\n".into()].concat().repeat(MAX_SIZE + 1);
    assert_eq!(refused(square_of_101), "line 1, column 101: more than 100 columns");
}

#[test]
fn input_is_limited_to_one_mebibyte() {
    let padded = |length: usize| ["1\n".to_string(), " ".repeat(length - 2)].concat();
    assert_eq!(accepted(padded(MAX_BYTES)), "1\n");
    assert_eq!(refused(padded(MAX_BYTES + 1)), "line 2, column 1048575: more than 1 MiB of input");
    assert_eq!(refused("\n".repeat(MAX_BYTES + 1)), "line 1048577, column 1: more than 1 MiB of input");
}

#[test]
fn endless_input_is_refused() {
    for byte in 0..=u8::MAX {
        assert!(matches!(Matrix::read(io::repeat(byte)), Err(ReadError::Bad { .. })), "{byte:#x}");
    }
}

/// A reader that returns one byte at a time, with an interruption before each. At the end it fails if `fails` is set.
struct Trickle<'a> {
    bytes: &'a [u8],
    interrupted: bool,
    fails: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.bytes.is_empty() && self.fails {
            return Err(io::Error::other("the disk has failed"));
        }
        let length = self.bytes.len().min(1);
        self.bytes.read(&mut buffer[..length])
    }
}

#[test]
fn interrupted_reads_continue_and_failures_are_reported() {
    let trickle = |fails| Trickle { bytes: b"\xef\xbb\xbf10\r\n01\r\n", interrupted: false, fails };
    assert_eq!(Matrix::read(trickle(false)).expect("a board").to_string(), "10\n01\n");
    assert_eq!(Matrix::read(trickle(true)).expect_err("it fails").to_string(), "cannot read: the disk has failed");
}

/// Whether the position is in the text, including the end of a line and the end of the text.
fn is_within(at: Position, text: &[u8]) -> bool {
    let line = text.split(|&byte| byte == b'\n').nth(at.line.wrapping_sub(1));
    line.is_some_and(|line| (1..=line.len() + 1).contains(&at.column))
}

fn check_any(text: &[u8]) -> Result<(), TestCaseError> {
    match Matrix::read(text) {
        Ok(board) => prop_assert!((1..=MAX_SIZE).contains(&board.size())),
        Err(ReadError::Bad { at, problem }) => {
            prop_assert!(is_within(at, text), "{:?} {:?}", at, problem);
            let message = problem.to_string();
            prop_assert!(message.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()), "{:?}", message);
        }
        Err(ReadError::Io(error)) => prop_assert!(false, "{}", error),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_are_parsed_or_refused(text in prop::collection::vec(any::<u8>(), 0..300)) {
        check_any(&text)?;
    }

    #[test]
    fn random_digits_and_blanks_are_parsed_or_refused(text in prop::collection::vec(
        prop::sample::select(b"0000001111111\n\n\n \t\r\xef\xbb\xbf".as_slice()), 0..60,
    )) {
        check_any(&text)?;
    }

    #[test]
    fn printed_board_is_parsed_to_the_same_board(rows in prop::collection::vec(any::<u128>(), 1..=MAX_SIZE)) {
        let board = Matrix::from_rows(rows);
        prop_assert_eq!(Matrix::read(board.to_string().as_bytes()).expect("a board"), board);
    }
}
