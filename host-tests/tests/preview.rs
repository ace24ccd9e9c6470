//! The pictures of the manual. The library is played through its keys to the moments that are worth seeing, and what is
//! then on the lights is drawn: so the manual cannot show what the game does not.
//!
//! A picture is compared with its file in docs/pictures. `LIGHTS_OUT_BLESS=1 cargo host-tests preview` draws them anew.

mod common;

use std::path::{Path, PathBuf};
use std::{env, fs};

use common::core_device::CoreDevice;
use common::svg::{self, MenuRow, Panel};
use common::words::{Player, WIPED, cell, ms};
use lights_out::board::{Board, Cell, SIDE, row_mask};
use lights_out::game::action::limit;
use lights_out::game::puzzle::Puzzle;
use lights_out::game::settings::ModeKind;
use lights_out::game::{Mode, News};
use lights_out::gesture::Command;
use lights_out::level_boards;
use lights_out::picture::Frame;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::selftest::SelfTest;
use lights_out::solver::{CLASSIC, Solver};

type Handheld = Player<CoreDevice>;

const BLESS: &str = "LIGHTS_OUT_BLESS";
const HOW_TO_DRAW_ANEW: &str = "`LIGHTS_OUT_BLESS=1 cargo host-tests preview` draws it anew";

/// All pictures: the name of the file, and what is in it.
fn pictures() -> Vec<(&'static str, String)> {
    vec![
        ("hero", hero()),
        ("greeting", svg::strip("First power-on", &greeting())),
        ("play", svg::strip("A press, and a hint", &play())),
        ("demo", svg::strip("The solve demo", &demo())),
        ("win", svg::strip("A win and its score", &win())),
        ("menu", menu()),
        ("levels", svg::strip("Levels", &levels())),
        ("random", svg::strip("Random boards of several sizes", &random())),
        ("rules", svg::strip("What one key flips, by variant", &rules())),
        ("create", svg::strip("Create", &create())),
        ("tutor", svg::strip("Tutor", &tutor())),
        ("action", svg::strip("Action", &action())),
        ("crash", svg::strip("After a crash", &[Panel::new(Frame::CROSS, "A crash: it starts again by itself")])),
        ("self-test", svg::strip("The self-test of the keys", &self_test())),
    ]
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("host-tests stands in the project").join("docs")
}

#[test]
fn preview_pictures_in_docs_are_what_the_game_draws() {
    let folder = docs().join("pictures");
    let bless = env::var_os(BLESS).is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for (name, svg) in pictures() {
        let file = format!("{name}.svg");
        if bless {
            fs::create_dir_all(&folder).expect("a folder that can be made");
            fs::write(folder.join(file), svg).expect("a file that can be written");
        } else if fs::read(folder.join(&file)).ok().as_deref() != Some(svg.as_bytes()) {
            wrong.push(format!("docs/pictures/{file} is not what the game draws now; {HOW_TO_DRAW_ANEW}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn preview_pictures_are_all_shown_in_the_manual_and_no_others() {
    let manual = fs::read_to_string(docs().join("how-to-play.md")).expect("a readable manual");
    let mut shown: Vec<&str> =
        manual.split("](pictures/").skip(1).filter_map(|rest| Some(rest.split_once(".svg)")?.0)).collect();
    // The self-test is for makers, who have a page of their own.
    let mut drawn: Vec<&str> =
        pictures().into_iter().map(|(name, _)| name).filter(|&name| name != "self-test").collect();
    shown.sort_unstable();
    drawn.sort_unstable();
    assert_eq!(shown, drawn);
}

/// A handheld that was just switched on for the first time.
fn handheld() -> Handheld {
    Player(CoreDevice::new(5))
}

/// What is on the lights.
fn seen(player: &Handheld) -> Frame {
    player.0.game.clone().draw(player.0.now)
}

fn light_of(frame: &Frame) -> u32 {
    frame.0.iter().map(|colour| u32::from(colour.r) + u32::from(colour.g) + u32::from(colour.b)).sum()
}

/// The picture at the height and at the depth of what pulses on it, once a second.
fn pulse(player: &mut Handheld) -> (Frame, Frame) {
    let mut moments = Vec::new();
    for _ in 0..200 {
        moments.push(seen(player));
        player.wait(ms(5));
    }
    let brightest = moments.iter().copied().max_by_key(light_of).expect("many moments");
    let dimmest = moments.iter().copied().min_by_key(light_of).expect("many moments");
    assert_ne!(brightest, dimmest, "nothing pulses");
    (brightest, dimmest)
}

/// Presses a key, and looks while it is down.
fn press(player: &mut Handheld, key: Cell, caption: &str) -> Panel {
    player.press(key);
    player.wait(ms(60));
    let panel = Panel::new(seen(player), caption).pressed(key);
    player.release(key);
    player.wait(ms(40));
    panel
}

/// Gives a command, and looks shortly before it is recognised: its corners are taken for moves until then. Ends at the
/// moment at which it acts.
fn give(player: &mut Handheld, command: Command, caption: &str) -> Panel {
    command.corners().into_iter().for_each(|corner| player.press(corner.cell()));
    player.wait(ms(500));
    let panel = Panel::new(seen(player), caption).held(command);
    player.wait(ms(201));
    command.corners().into_iter().for_each(|corner| player.release(corner.cell()));
    panel
}

fn solution(player: &Handheld) -> Vec<Cell> {
    Cell::of_mask(CLASSIC.shortest(player.board()).expect("a board that can be solved").presses).collect()
}

/// Solves levels from the first on, until this one (counted from 1) is on the lights. Those in `detours` take two presses
/// more than par.
fn go_to_level(player: &mut Handheld, level: usize, detours: &[usize]) {
    player.after_greeting();
    for solved in 1..level {
        if detours.contains(&solved) {
            player.tap(cell(2, 2));
            player.tap(cell(2, 2));
        }
        player.solve();
        // The celebration is cut short.
        player.tap(cell(2, 2));
        player.wait(WIPED);
    }
    player.expect_board(level_boards::board(level - 1).expect("a level"));
}

fn tap_all(player: &mut Handheld, board: Board) {
    Cell::of_mask(board.bits()).for_each(|key| player.tap(key));
}

fn parse(board: &str) -> Board {
    Board::parse(board).expect("25 of # and .")
}

/// A drawing that can be solved.
fn heart() -> Board {
    parse(".#.#. #.#.# #...# .#.#. ..#..")
}

/// A star, drawn and played, with a hint. It takes five presses, and the first is in its middle.
fn hero() -> String {
    let mut player = handheld();
    player.after_greeting();
    player.start(ModeKind::Create, &[]);
    tap_all(&mut player, parse("..#.. ##### .###. .#.#. #...#"));
    player.command(Command::Demo);
    player.command(Command::Hint);
    let pointed = player.hinted_key().expect("a hint");
    let left = [
        (Command::Hint, ["the next key of a", "shortest solution pulses"]),
        (Command::Undo, ["takes a move back;", "hold on for more"]),
        (Command::Menu, ["modes, rules, sizes,", "brightness, sound"]),
    ];
    let right = [
        (Command::Demo, ["plays a shortest solution,", "then gives your board back"]),
        (Command::Restart, ["this solver from", "its start"]),
        (Command::Next, ["on to another", "solver"]),
    ];
    let title = "The handheld: 25 lit keys, a hint, and the six commands that two held corners give";
    svg::hero(title, &pulse(&mut player).0, pointed, &left, &right)
}

fn greeting() -> Vec<Panel> {
    let mut player = handheld();
    let mut wave = |time, caption| {
        player.wait(ms(time));
        Panel::new(seen(&player), caption)
    };
    vec![
        wave(150, "Switched on: a wave of light says hello"),
        wave(250, "It takes less than a second; any key cuts it short"),
        wave(1200, "Level 1"),
    ]
}

fn play() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 11, &[]);
    let board = Panel::new(seen(&player), "A board: put all the lights out");
    let first = solution(&player)[0];
    let pressed = press(&mut player, first, "A press flips the key's own light and those beside it");
    let asking = give(&mut player, Command::Hint, "Stuck? Hold the top two corners…");
    let (bright, dim) = pulse(&mut player);
    vec![
        board,
        pressed,
        asking,
        Panel::new(bright, "…and the key to press next pulses blue"),
        Panel::new(dim, "The corners' own flips were taken back"),
    ]
}

fn demo() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 8, &[]);
    let keys = solution(&player);
    assert_eq!(keys.len(), 2, "two steps fit the strip");
    let mut panels = vec![give(&mut player, Command::Demo, "Hold the bottom two corners")];
    // A step takes 600 ms: its key is blue for 400, then it has been pressed.
    for (wait, caption) in [
        (200, "The first key of a shortest solution is blue"),
        (300, "Now it is pressed"),
        (300, "The next key…"),
        (300, "…and all is dark: solved"),
        (2000, "Then your own board is back"),
    ] {
        player.wait(ms(wait));
        panels.push(Panel::new(seen(&player), caption));
    }
    panels
}

fn win() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 6, &[]);
    player.tap(cell(2, 2));
    player.tap(cell(2, 2));
    let keys = solution(&player);
    let (last, others) = keys.split_last().expect("a board that is not dark");
    others.iter().for_each(|&key| player.tap(key));
    player.press(*last);
    player.wait(ms(170));
    let mut panels = vec![Panel::new(seen(&player), "All out: a green ripple from the last key").pressed(*last)];
    player.release(*last);
    player.wait(ms(180));
    panels.push(Panel::new(seen(&player), "It runs out over the edges"));
    let Some(&News::Won { moves, par }) = player.0.news.last() else { panic!("not won") };
    assert!(moves < 10 && par < 10 && moves != par, "the captions tell of one digit each");
    // The ripple takes a second.
    player.wait(ms(660));
    for (glyph, caption) in [
        (0, format!("The score scrolls by. First the moves: {moves}…")),
        (1, "…a dash…".to_owned()),
        (2, format!("…the par: {par}…")),
        (4, "…and the level: 6".to_owned()),
    ] {
        panels.push(Panel::new(score_at(&player, glyph), caption));
    }
    panels
}

/// The score as it will be when this glyph is in the middle; the first column is coming in now. A glyph is four columns
/// wide, and a column takes 150 ms.
fn score_at(player: &Handheld, glyph: u64) -> Frame {
    player.0.game.clone().draw(player.0.now + 150_000 * (4 * glyph + 3))
}

fn menu() -> String {
    const ROWS: [MenuRow; SIDE] = [
        ("MODE: tap the chosen one again to start", ["Levels", "Random", "Create", "Tutor", "Action"]),
        ("RULE: what a key flips", ["plus", "cross", "plus, torus", "cross, torus", "ring"]),
        ("SIZE", ["2 × 2", "3 × 3", "4 × 4", "5 × 5", ""]),
        ("DIFFICULTY of Random", ["easiest", "easy", "medium", "hard", "hardest"]),
        ("BRIGHTNESS, and SOUND on or off", ["dimmest", "dim", "bright", "brightest", "sound"]),
    ];
    let mut player = handheld();
    player.after_greeting();
    player.command(Command::Menu);
    assert!(player.is_menu());
    svg::menu("The menu as it is at first, with its rows explained", &seen(&player), &ROWS)
}

fn levels() -> Vec<Panel> {
    let mut player = handheld();
    go_to_level(&mut player, 13, &[2, 7, 8, 11]);
    player.start(ModeKind::Levels, &[]);
    let (bright, dim) = pulse(&mut player);
    let chosen = cell(1, 2);
    let tapped = Panel::new(bright, "Any level that is not faint can be tapped").pressed(chosen);
    player.tap(chosen);
    player.wait(WIPED);
    player.expect_board(level_boards::board(chosen.index()).expect("a level"));
    vec![
        Panel::new(bright, "Bright green: solved at par. Amber: solved. Faint: not open yet"),
        Panel::new(dim, "The open level pulses: bright before, dim now"),
        tapped,
        Panel::new(seen(&player), format!("Level {}", chosen.index() + 1)),
    ]
}

/// The puzzle in play in Random.
fn dealt(player: &Handheld) -> &Puzzle {
    let Mode::Random(random) = player.0.game.state().mode() else { panic!("not Random") };
    random.puzzle()
}

fn random() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    let mut deal = |rule: usize, size: usize, difficulty: usize, what: &str| {
        player.start(ModeKind::Random, &[(1, rule), (2, size), (3, difficulty)]);
        let round = dealt(&player).round();
        let outlined = if round.variant().size == Size::Five { 0 } else { round.variant().cells() };
        Panel::new(seen(&player), format!("{what}, par {}", round.par())).outlined(outlined)
    };
    vec![
        deal(0, 3, 0, "5 × 5, easiest"),
        deal(0, 3, 4, "5 × 5, hardest"),
        deal(1, 2, 2, "4 × 4 with the cross"),
        deal(2, 1, 4, "3 × 3, plus on a torus"),
        deal(0, 0, 4, "2 × 2"),
    ]
}

/// On the dark board that Action begins with, one press shows what a key flips.
fn rules() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    let captions = [
        "Plus: the classic game",
        "Cross",
        "Plus on a torus: what leaves at the top comes in below",
        "Cross on a torus",
        "Ring: the plus without its own light",
    ];
    let mut panels = Vec::new();
    for (column, caption) in captions.into_iter().enumerate() {
        player.start(ModeKind::Action, &[(1, column)]);
        let rule = Rule::ALL[column];
        let key = if matches!(rule, Rule::PlusTorus | Rule::CrossTorus) { cell(0, 2) } else { cell(2, 2) };
        panels.push(press(&mut player, key, caption));
        let flips = Solver::new(Variant { rule, size: Size::Five }).toggles(key);
        player.expect_board(Board::from_bits(flips));
    }
    panels
}

fn create() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    player.start(ModeKind::Create, &[]);
    tap_all(&mut player, heart());
    let mut panels = vec![Panel::new(seen(&player), "Still and green: this drawing can be solved")];
    give(&mut player, Command::Hint, "");
    let par = CLASSIC.par(heart()).expect("a drawing that can be solved");
    assert_eq!(par.to_string().len(), 2, "the caption tells of the first of two digits");
    let digits = Panel::new(score_at(&player, 0), format!("Hint shows its par, {par}: first the {}", par / 10));
    // Any key cuts it short.
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 1));
    player.wait(WIPED);
    let one_too_many = cell(3, 2);
    player.tap(one_too_many);
    assert!(!CLASSIC.is_solvable(player.board()));
    let (bright, dim) = pulse(&mut player);
    panels.push(Panel::new(bright, "One light more: red and pulsing, it cannot be solved").pressed(one_too_many));
    panels.push(Panel::new(dim, "The same, half a second later"));
    give(&mut player, Command::Demo, "");
    panels.push(Panel::new(seen(&player), "So it cannot be played: a cross"));
    panels.push(digits);
    player.tap(cell(2, 2));
    player.command(Command::Next);
    player.tap(cell(1, 3));
    player.wait(WIPED);
    player.command(Command::Next);
    panels.push(Panel::new(seen(&player), "The slots: row 2 keeps, row 4 brings back. Two are in use"));
    panels
}

/// The keys that the lesson accepts.
fn right_keys(player: &Handheld) -> u32 {
    let Mode::Tutor(tutor) = player.0.game.state().mode() else { panic!("not the tutor") };
    tutor.right_keys(&CLASSIC)
}

fn tutor() -> Vec<Panel> {
    // Not every board calls for the top row.
    (5..50).find_map(lesson).expect("three of four boards call for the top row")
}

/// A lesson from its first key to the second chase, if it comes to that.
fn lesson(seed: u64) -> Option<Vec<Panel>> {
    let mut player = Player(CoreDevice::new(seed));
    player.after_greeting();
    player.start(ModeKind::Tutor, &[]);
    let (chase, _) = pulse(&mut player);
    let right = Cell::first_of_mask(right_keys(&player)).expect("something to chase");
    let chased = press(&mut player, right, "Pressed: that light is out, and the next is white");
    let wrong = Cell::all().find(|key| right_keys(&player) & key.bit() == 0).expect("a wrong key");
    let refused = press(&mut player, wrong, "A wrong key glows red and does nothing");
    // A key that chases lies below a light, so the top row is asked for only when nothing is left to chase.
    while right_keys(&player) & !row_mask(0) != 0 {
        player.tap(Cell::first_of_mask(right_keys(&player))?);
        if player.0.news.iter().any(|news| matches!(news, News::Won { .. })) {
            return None;
        }
    }
    let (top_row, _) = pulse(&mut player);
    Cell::of_mask(right_keys(&player)).for_each(|key| player.tap(key));
    let (again, _) = pulse(&mut player);
    Some(vec![
        Panel::new(chase, "Chase the white light: press the blue key below it"),
        chased,
        refused,
        Panel::new(top_row, "Only the bottom row is left: press what is blue in the top row…"),
        Panel::new(again, "…and chase once more: now it all goes out"),
    ])
}

fn action() -> Vec<Panel> {
    let mut player = handheld();
    player.after_greeting();
    player.start(ModeKind::Action, &[]);
    player.expect_within(ms(2000), "the first press", |player| !player.board().is_dark());
    let mut panels = vec![Panel::new(seen(&player), "After two seconds the handheld presses a key")];
    player.expect_within(ms(60_000), "a fuller board", |player| player.board().lit_count() >= 10);
    panels.push(Panel::new(seen(&player), "It goes on, faster and faster"));
    let fewest = |board: Board| Cell::all().min_by_key(|&key| CLASSIC.press(board, key).lit_count()).expect("a key");
    let key = fewest(player.board());
    panels.push(press(&mut player, key, "Press keys to keep the lights down"));
    // Nobody plays on.
    player.expect_within(ms(600_000), "the end", |player| player.board().lit_count() >= limit(Variant::CLASSIC));
    let Some(&News::Survived { presses }) = player.0.news.last() else { panic!("not over") };
    panels.push(Panel::new(pulse_of_lost(&player), "18 lights: lost. The board pulses red"));
    player.wait(ms(1000));
    let score = presses.to_string();
    let caption = match score.len() {
        1 => format!("The score: {score} presses survived"),
        _ => format!("The score, {score} presses survived: first the {}", &score[..1]),
    };
    panels.push(Panel::new(score_at(&player, 0), caption));
    panels
}

/// The lost board at its brightest; it is seen for a second, so a copy of the game is looked at.
fn pulse_of_lost(player: &Handheld) -> Frame {
    let moments = (0..200).map(|step| player.0.game.clone().draw(player.0.now + 4000 * step));
    moments.max_by_key(light_of).expect("many moments")
}

/// The self-test of a board with these faults: keys that are pressed one after the other, each with all that closes then.
fn tested(held: u32, closing: impl IntoIterator<Item = u32>) -> Frame {
    let mut test = SelfTest::new(0, held | 1 << 12);
    test.keys(1_000_000, held);
    for closed in closing {
        test.keys(6_000_000, held | closed);
        test.keys(6_100_000, held);
    }
    // Long enough for a verdict, and at the height of the pulse.
    for now in [10_000_000, 10_500_000, 11_000_000] {
        test.tick(now);
    }
    test.draw(11_000_000)
}

fn self_test() -> Vec<Panel> {
    let all = || Cell::all().map(Cell::bit);
    let half_way = {
        let mut test = SelfTest::new(0, 1 << 12);
        test.keys(1_000_000, 0);
        for key in all().take(13) {
            test.keys(6_000_000, key);
            test.keys(6_100_000, 0);
        }
        test.keys(6_200_000, 1 << 13);
        test.draw(6_300_000)
    };
    vec![
        Panel::new(half_way, "White: closed now. Green: was pressed, and works"),
        Panel::new(tested(0, all()), "All 25 keys work"),
        Panel::new(tested(0, all().filter(|key| key & row_mask(3) == 0)), "A row pulses red: its wire is dead"),
        Panel::new(tested(0, all().filter(|key| key & 0x10_8421 << 1 == 0)), "A column pulses red: its wire is dead"),
        Panel::new(
            tested(0, all().map(|key| if key & 3 << 16 != 0 { 3 << 16 } else { key })),
            "Violet: these two close together",
        ),
        Panel::new(tested(1 << 8, all().filter(|&key| key != 1 << 8)), "One key pulses red: it is stuck"),
    ]
}
