//! Tests of the program: standard input, output and error, and the exit code.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Exit code, standard output, standard error.
type Outcome = (i32, String, String);

fn outcome(output: Output) -> Outcome {
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8 output");
    (output.status.code().expect("an exit code, not a signal"), text(output.stdout), text(output.stderr))
}

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_solve"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Outcome {
    let mut child = program(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    // The program may stop reading early and close the pipe. Then the rest of the input cannot be written.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_ref());
    outcome(child.wait_with_output().expect("it ends"))
}

fn prints(code: i32, stdout: &str) -> Outcome {
    (code, stdout.into(), String::new())
}

fn fails_with(stderr: &str) -> Outcome {
    (2, String::new(), format!("{stderr}\n"))
}

/// Writes a file of this name and content into the folder that cargo provides for tests.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the folder can be written to");
    path
}

fn all_on(size: usize) -> String {
    format!("{}\n", "1".repeat(size)).repeat(size)
}

#[test]
fn board_is_read_from_standard_input() {
    let expected = prints(0, "000\n110\n101\ncode 1XQD\n4 presses, shortest\n");
    assert_eq!(run(&[], "110\n100\n011\n"), expected);
    assert_eq!(run(&["-"], "1 1 0\r\n1 0 0\r\n0 1 1"), expected);
}

#[test]
fn board_is_read_from_a_file() {
    let path = file("plus.txt", "010\n111\n010\n");
    let expected = prints(0, "000\n010\n000\ncode 0X2A\n1 press, shortest\n");
    assert_eq!(run(&[path.to_str().expect("plain")], ""), expected);
    assert_eq!(run(&["--", path.to_str().expect("plain")], ""), expected);
}

#[test]
fn dark_board_needs_no_presses() {
    assert_eq!(run(&[], "00\n00\n"), prints(0, "00\n00\ncode 00G\n0 presses, shortest\n"));
}

#[test]
fn no_solution_has_its_own_exit_code() {
    let corner = "10000\n00000\n00000\n00000\n00000\n";
    assert_eq!(run(&[], corner), prints(1, "code 0000054\nno solution\n"));
    assert_eq!(run(&["--all"], corner), prints(1, "code 0000054\nno solution\n"));
}

#[test]
fn all_lists_solutions_shortest_first() {
    let (code, stdout, stderr) = run(&["--all"], all_on(5));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let parts: Vec<&str> = stdout.split("\n\n").collect();
    assert_eq!(parts.len(), 5);
    assert!(parts[..4].iter().all(|part| part.lines().count() == 6 && part.ends_with("15 presses, shortest")));
    assert_eq!(parts[4], "code 4ZZZZVA\n4 solutions\n");
    assert_eq!(run(&["--all"], "1"), prints(0, "1\n1 press, shortest\n\n1 solution\n"));

    let (_, stdout, _) = run(&["--all"], "0000\n0000\n0000\n0000\n");
    let counts: Vec<&str> = stdout.lines().filter(|line| line.contains("press")).collect();
    assert_eq!((counts.len(), counts[0], counts[15]), (16, "0 presses, shortest", "12 presses"));
}

#[test]
fn only_boards_of_the_handheld_have_a_code() {
    for (size, has_code) in [(1, false), (2, true), (5, true), (6, false)] {
        let (_, stdout, _) = run(&[], all_on(size));
        assert_eq!(stdout.contains("code "), has_code, "{size}: {stdout}");
    }
}

#[test]
fn board_is_read_from_its_code() {
    let expected = prints(0, "plus, 3 x 3\n110\n100\n011\n\n000\n110\n101\ncode 1XQD\n4 presses, shortest\n");
    assert_eq!(run(&["--code", "1XQD"], ""), expected);
    assert_eq!(run(&["--code=ixq-d"], ""), expected, "case and dashes do not matter");
    let cross = "cross, 2 x 2\n11\n11\n\n11\n00\ncode 2C0\n2 presses, shortest\n";
    assert_eq!(run(&["--code", "2C0"], ""), prints(0, cross));
    let (code, stdout, stderr) = run(&["--all", "--code", "2C0"], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("cross, 2 x 2\n11\n11\n\n11\n00\n2 presses, shortest\n\n"), "{stdout}");
    assert!(stdout.ends_with("\n\ncode 2C0\n4 solutions\n"), "{stdout}");
    let corner = "plus, 5 x 5\n10000\n00000\n00000\n00000\n00000\n\ncode 0000054\nno solution\n";
    assert_eq!(run(&["--code", "0000054"], ""), prints(1, corner));
}

#[test]
fn wrong_code_is_one_line_and_exit_code_2() {
    for (code, why) in [
        ("", "there is no code"),
        ("1XQ\u{1b}", "'\\u{1b}' is in no code"),
        ("1XQD99", "a code has 3, 4, 5 or 7 characters, and this has 6 characters"),
        ("1QXD", "the check character does not fit: there is a typing mistake in the code"),
        ("ZZR", "no board has this code"),
    ] {
        let printed = code.replace('\u{1b}', "\\u{1b}");
        assert_eq!(run(&["--code", code], ""), fails_with(&format!("solve: {printed}: {why}")), "{code:?}");
    }
}

#[test]
fn daily_solves_the_puzzle_of_a_day() {
    let (code, stdout, stderr) = run(&["--daily", "2026-01-01"], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("plus, 5 x 5\n"), "{stdout}");
    assert!(stdout.ends_with("\ncode 17RPA18\n10 presses, shortest\n"), "{stdout}");
    assert_eq!(run(&["--code", "17RPA18"], "").1, stdout);
    assert_eq!(run(&["--daily"], "").0, 0);
    let message = "solve: '2026-02-30' is not a day in the form YYYY-MM-DD, 1970-01-01 or later. Try `solve --help`.";
    assert_eq!(run(&["--daily", "2026-02-30"], ""), fails_with(message));
}

#[test]
fn too_many_solutions_are_reported() {
    let message = "solve: standard input: 2^16 solutions are too many for --all, which prints at most 2^10";
    assert_eq!(run(&["--all"], all_on(19)), fails_with(message));
    let (code, stdout, stderr) = run(&[], all_on(39));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let last = stdout.lines().last().expect("some output");
    assert!(last.ends_with(" presses, not proven shortest (2^32 solutions are too many to compare)"), "{last}");
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (input, message) in [
        ("", "line 1, column 1: the input has no 0 or 1"),
        ("110\n100\n01x\n", "line 3, column 3: expected 0 or 1, found 'x'"),
        ("\0\u{1b}[31m", "line 1, column 1: expected 0 or 1, found byte 0x00"),
        ("110\n10\n011\n", "line 2, column 3: the row has 2 columns, but line 1 has 3"),
        ("110\n1001\n011\n", "line 2, column 4: the row has more than the 3 columns of line 1"),
        ("110\n100\n", "line 3, column 1: the input ends after 2 rows, but the board has 3 columns"),
        ("11\n10\n01\n", "line 3, column 1: more rows than the 2 columns"),
        (&all_on(101), "line 1, column 101: more than 100 columns"),
    ] {
        assert_eq!(run(&[], input), fails_with(&format!("solve: standard input: {message}")), "{input:?}");
    }
    let path = file("bad.txt", "10\n0?\n");
    let name = path.to_str().expect("plain");
    let message = format!("solve: {name}: line 2, column 2: expected 0 or 1, found '?'");
    assert_eq!(run(&[name], ""), fails_with(&message));
}

#[test]
fn bad_usage_is_one_line_and_exit_code_2() {
    assert_eq!(run(&["--al"], ""), fails_with("solve: invalid option '--al'. Try `solve --help`."));
    assert_eq!(
        run(&["a", "b\n"], ""),
        fails_with("solve: give only one file; 'b\\n' is the second. Try `solve --help`.")
    );
    let (code, stdout, stderr) = run(&["no such\nfile"], "");
    assert_eq!((code, stdout.as_str(), stderr.lines().count()), (2, "", 1));
    assert!(stderr.starts_with("solve: no such\\nfile: cannot read: "), "{stderr}");
}

#[test]
fn help_and_version_are_printed() {
    let (code, stdout, stderr) = run(&["--help"], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("Usage: solve [--all] [FILE]") && stdout.contains("--code CODE"));
    assert_eq!(run(&["-h"], "").1, stdout);
    assert_eq!(run(&["--version"], ""), prints(0, concat!("solve ", env!("CARGO_PKG_VERSION"), "\n")));
}

#[cfg(unix)]
#[test]
fn endless_and_unreadable_files_are_errors() {
    let zero = fails_with("solve: /dev/zero: line 1, column 1: expected 0 or 1, found byte 0x00");
    assert_eq!(run(&["/dev/zero"], ""), zero);
    let (code, stdout, stderr) = run(&["/"], "");
    assert_eq!((code, stdout.as_str(), stderr.lines().count()), (2, "", 1));
    // A pipe with endless blanks: the program ends although its input does not.
    let mut child = program(&[]).stdin(Stdio::piped()).spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("it is piped");
    while pipe.write_all(&[b' '; 4096]).is_ok() {}
    let message = "solve: standard input: line 1, column 1048577: more than 1 MiB of input";
    assert_eq!(outcome(child.wait_with_output().expect("it ends")), fails_with(message));
}

#[cfg(unix)]
#[test]
fn closed_pipe_is_no_error_but_full_disk_is() {
    // Standard output is closed before the board is complete, so the program cannot write to it.
    let mut child = program(&["--all"]).stdin(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    child.stdin.take().expect("it is piped").write_all(all_on(9).as_bytes()).expect("the program reads all of it");
    assert_eq!(outcome(child.wait_with_output().expect("it ends")), prints(0, ""));
    if let Ok(full) = File::options().write(true).open("/dev/full") {
        let board = file("nine.txt", &all_on(9));
        let mut command = program(&["--all", board.to_str().expect("plain")]);
        let (code, _, stderr) = outcome(command.stdout(full).output().expect("the program runs"));
        assert_eq!((code, stderr.lines().count()), (2, 1));
        assert!(stderr.starts_with("solve: cannot write the result: "), "{stderr}");
    }
}
