//! Every mode on the library, and a random walk through all modes.

use lights_out::board::Cell;
use lights_out::game::modes::action::{interval, limit};
use lights_out::game::modes::{Mode, ModeKind};
use lights_out::game::puzzle::Puzzle;
use lights_out::game::records::{Progress, Records};
use lights_out::game::settings::{DIFFICULTIES, Settings};
use lights_out::game::{Game, GameEvent};
use lights_out::gesture::{Command, Corner, Gesture};
use lights_out::keys::KeyEvent;
use lights_out::level_boards;
use lights_out::rules::{Rule, Size, Variant};
use lights_out::solver::Solver;
use lights_out::sound::Sound;
use player::{CoreDevice, Outputs, Player, WIPE_TIME, cell, command, handle_input, ms, tap, tick_game};
use rand_core::Rng;
use rand_pcg::Pcg32;

use crate::scenarios::modes::{self as scenarios, each_mode_scenario};

fn player() -> Player<CoreDevice> {
    Player::new(CoreDevice::new(7))
}

fn play(scenario: impl FnOnce(&mut Player<CoreDevice>)) {
    scenario(&mut player());
}

each_mode_scenario!(play);

#[test]
fn tutor_solves_the_board_on_every_size() {
    for size in 0..4 {
        for seed in 0..10 {
            scenarios::tutor_leads_to_dark_board(&mut Player::new(CoreDevice::new(seed)), size);
        }
    }
}

#[test]
fn tutor_accepts_right_keys_in_any_order() {
    let mut rng = Pcg32::new(5, 5);
    for seed in 0..200 {
        let mut player = Player::new(CoreDevice::new(seed));
        player.wait_for_greeting();
        player.start(ModeKind::Tutor, &[(2, seed as usize % 4)]);
        for taps in 0.. {
            assert!(taps < 100, "the lesson does not end");
            let Mode::Tutor(tutor) = player.device.game.state().mode() else { panic!("not the Tutor mode") };
            let solver = Solver::new(tutor.puzzle().round().variant());
            if tutor.puzzle().round().board().is_dark() {
                break;
            }
            let right: Vec<Cell> = tutor.right_keys(&solver).iter().collect();
            player.device.input(tap(right[rng.next_u32() as usize % right.len()]));
        }
    }
}

#[test]
fn difficulties_cover_all_pars_of_every_rule() {
    for variant in Variant::all() {
        let bands: Vec<_> =
            (0..DIFFICULTIES).map(|difficulty| Settings { variant, difficulty, ..Settings::DEFAULT }.pars()).collect();
        let hardest = variant.hardest_par();
        assert_eq!((*bands[0].start(), *bands[4].end()), (1, hardest), "{variant:?}");
        for par in 1..=hardest {
            assert!(bands.iter().any(|band| band.contains(&par)), "{variant:?} has no difficulty for par {par}");
        }
        assert!(bands.windows(2).all(|pair| pair[0].start() <= pair[1].start() && pair[0].end() <= pair[1].end()));
    }
}

#[test]
fn level_results_only_get_better() {
    let mut records = Records::NONE;
    assert_eq!(records.progress(0), Progress::Open);
    assert_eq!(records.progress(1), Progress::Locked);
    records.solved(0, 4);
    assert_eq!((records.progress(0), records.progress(1)), (Progress::Solved, Progress::Open));
    records.solved(0, 9);
    assert_eq!(records.best_moves(0), Some(4));
    records.solved(0, 1);
    assert_eq!((records.best_moves(0), records.progress(0)), (Some(1), Progress::AtPar));
    records.solved(1, 100_000);
    assert_eq!(records.best_moves(1), Some(255));
    (0..level_boards::COUNT).for_each(|level| records.solved(level, level_boards::par(level)));
    assert_eq!(records.first_open(), level_boards::COUNT - 1);
    records.solved(level_boards::COUNT, 1);
    assert_eq!(records.best_moves(level_boards::COUNT), None);
}

#[test]
fn last_level_leads_to_the_level_picker() {
    let mut player = player();
    player.wait_for_greeting();
    for level in 0..level_boards::COUNT {
        player.expect_board(level_boards::board(level).unwrap());
        player.solve();
        player.wait(ms(100));
        player.tap(cell(2, 2));
        player.wait(WIPE_TIME);
        assert_eq!(player.device.game.state().records().progress(level), Progress::AtPar);
    }
    let Mode::Levels(levels) = player.device.game.state().mode() else { panic!("not the Levels mode") };
    assert!(levels.puzzle().is_none(), "after the last level the level picker opens");
}

#[test]
fn random_mode_counts_rounds() {
    let mut player = player();
    player.start_random_puzzle();
    for round in 1..4 {
        player.solve();
        player.wait(ms(100));
        player.tap(cell(2, 2));
        player.wait(WIPE_TIME);
        assert_eq!(player.device.game.state().records().rounds, round);
    }
}

#[test]
fn action_speeds_up_to_a_limit_and_keeps_best_score() {
    assert_eq!((interval(0), interval(1), interval(64), interval(u32::MAX)), (2_000_000, 1_975_000, 400_000, 400_000));
    let limits = Size::ALL.map(|size| limit(Variant { rule: Rule::Plus, size }));
    assert_eq!(limits, [3, 7, 12, 18]);
    let mut player = player();
    scenarios::action_speeds_up_and_ends(&mut player);
    let survived: Vec<u32> = player
        .device
        .outputs
        .events
        .iter()
        .filter_map(|event| if let GameEvent::Survived { presses } = event { Some(*presses) } else { None })
        .collect();
    assert_eq!(survived, [player.device.game.state().records().best_action]);
    assert!(survived[0] > 3);
}

#[test]
fn menu_pauses_the_action_mode() {
    let mut player = player();
    player.wait_for_greeting();
    player.start(ModeKind::Action, &[]);
    player.command(Command::Menu);
    player.wait(ms(20_000));
    player.command(Command::Menu);
    assert!(player.board().lit_count() <= 5, "no press while the menu is open: {}", player.board());
}

#[test]
fn sound_is_off_by_default() {
    let mut player = player();
    player.wait_for_greeting();
    player.tap(cell(4, 4));
    player.command(Command::Undo);
    assert_eq!(player.device.outputs.sounds, []);
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    player.device.outputs.sounds.clear();
    player.tap(cell(4, 4));
    assert_eq!(player.device.outputs.sounds, [Sound::Tap]);
    player.command(Command::Undo);
    player.device.outputs.sounds.clear();
    player.command(Command::Next);
    assert_eq!(player.device.outputs.sounds.last(), Some(&Sound::Error), "the next level is locked");
    player.solve();
    assert_eq!(player.device.outputs.sounds.last(), Some(&Sound::Win));
}

#[test]
fn rollback_can_restore_another_rule() {
    let mut player = player();
    player.wait_for_greeting();
    player.start(ModeKind::Random, &[(1, 1), (2, 2)]);
    let board = player.board();
    player.command(Command::Menu);
    player.choose(1, 4);
    player.choose(0, 4);
    // This tap starts Action with the ring rule. It is also half of the command Next, which has no effect in the menu.
    player.press(cell(0, 4));
    player.wait(ms(100));
    player.press(cell(4, 0));
    player.wait(ms(900));
    player.release(cell(0, 4));
    player.release(cell(4, 0));
    player.wait(ms(400));
    assert!(player.is_menu_shown(), "the start of Action is rolled back, and the menu is open");
    player.command(Command::Menu);
    player.expect_board(board);
    player.command(Command::Hint);
    let key = player.find_pulsing_key().expect("a hint");
    let solver = Solver::new(Variant { rule: Rule::Cross, size: Size::Four });
    assert_eq!(solver.par(solver.press(board, key)), solver.par(board).map(|par| par - 1));
}

/// The puzzle in play, if a mode has one.
fn running(game: &Game) -> Option<&Puzzle> {
    match game.state().mode() {
        Mode::Levels(levels) => levels.puzzle(),
        Mode::Random(random) => Some(random.puzzle()),
        Mode::Create(create) => create.puzzle(),
        Mode::Tutor(tutor) => Some(tutor.puzzle()),
        Mode::Action(_) => None,
    }
}

/// Checks the invariants of every game.
fn check_invariants(game: &mut Game, now: u64, solvers: &[Solver]) {
    game.draw(now);
    if let Some(due) = game.deadline(now) {
        assert!(due <= now + 2_100_000 || matches!(game.state().mode(), Mode::Action(_)), "{due} at {now}");
    }
    if let Some(round) = running(game).map(Puzzle::round) {
        let solver = solvers.iter().find(|solver| solver.variant() == round.variant()).unwrap();
        assert_eq!(solver.par(round.start()), Some(round.par()));
        assert!(solver.is_solvable(round.board()));
    }
}

/// A game that gets random events, with the number of starts of each mode, wins and undos.
struct RandomWalk {
    game: Game,
    now: u64,
    rng: Pcg32,
    solvers: Vec<Solver>,
    started: [u32; 5],
    wins: u32,
    undone: u32,
}

impl RandomWalk {
    fn new() -> Self {
        Self {
            game: Game::new(0, 1),
            now: 0,
            rng: Pcg32::new(1_000_000, 4),
            solvers: Variant::all().map(Solver::new).collect(),
            started: [0; 5],
            wins: 0,
            undone: 0,
        }
    }

    fn any_key(&mut self) -> Cell {
        Cell::new(self.rng.next_u32() as usize % 25).unwrap()
    }

    fn handle(&mut self, input: KeyEvent) -> Outputs {
        handle_input(&mut self.game, self.now, input)
    }

    /// Lets time pass, and plays one random event.
    fn play_event(&mut self) {
        let longest = if self.rng.next_u32().is_multiple_of(50) { 8_000_000 } else { 60_000 };
        self.now += 1 + u64::from(self.rng.next_u32() % longest);
        if let Some(due) = self.game.deadline(self.now).filter(|&due| due <= self.now) {
            tick_game(&mut self.game, due.max(self.now));
        }
        let any_key = self.any_key();
        let outputs = match self.rng.next_u32() % 100 {
            // Often towards a solution, so that puzzles are solved.
            0..40 => {
                let hint = running(&self.game).and_then(|play| {
                    let solver = self.solvers.iter().find(|solver| solver.variant() == play.round().variant())?;
                    solver.hint(play.round().board())
                });
                self.handle(tap(hint.unwrap_or(any_key)))
            }
            40..85 => self.handle(tap(any_key)),
            85..99 => {
                let rng = &mut self.rng;
                let roll_back = rng.next_u32().is_multiple_of(3).then(|| Corner::ALL[rng.next_u32() as usize % 4]);
                let command = Command::ALL[rng.next_u32() as usize % 6];
                self.handle(KeyEvent::Gesture(Gesture::Command { command, roll_back }))
            }
            _ => tick_game(&mut self.game, self.now),
        };
        for event in outputs.events {
            match event {
                GameEvent::Won { moves, par } => {
                    self.wins += 1;
                    assert!(moves > 0 && par > 0);
                }
                GameEvent::Started(kind) => self.started[kind as usize] += 1,
                _ => {}
            }
        }
        check_invariants(&mut self.game, self.now, &self.solvers);
    }

    /// A move and its undo lead back to the same board, if a board is in play.
    fn check_undo(&mut self) {
        let key = self.any_key();
        let before = running(&self.game).filter(|play| play.is_in_play()).map(|play| play.round().board());
        if let (Some(board), Mode::Random(_) | Mode::Levels(_)) = (before, self.game.state().mode()) {
            self.handle(tap(key));
            let moved = running(&self.game).is_some_and(|play| play.is_in_play() && play.round().board() != board);
            if moved {
                self.handle(command(Command::Undo));
                assert_eq!(running(&self.game).map(|play| play.round().board()), Some(board));
                self.undone += 1;
            }
        }
    }

    /// The menu command always opens or closes the menu.
    fn check_menu(&mut self) {
        let before = self.game.state().is_menu_open();
        self.handle(command(Command::Menu));
        assert_ne!(self.game.state().is_menu_open(), before);
        self.handle(command(Command::Menu));
        assert_eq!(self.game.state().is_menu_open(), before);
    }

    /// Starts a mode with random settings.
    fn start(&mut self, mode: usize) {
        if !self.game.state().is_menu_open() {
            self.handle(command(Command::Menu));
        }
        for row in [1, 2, 3] {
            let choice = Cell::at(row, self.rng.next_u32() as usize % 5).unwrap();
            self.handle(tap(choice));
        }
        let key = Cell::at(0, mode).unwrap();
        let first = self.handle(tap(key));
        if self.game.state().is_menu_open() {
            self.handle(tap(key));
        }
        assert!(!self.game.state().is_menu_open(), "{first:?}");
        assert_eq!(self.game.state().mode().kind() as usize, mode);
        self.started[mode] += 1;
    }
}

#[test]
fn million_random_events_break_no_invariant() {
    let mut walk = RandomWalk::new();
    for event in 0..1_000_000_usize {
        walk.play_event();
        if event % 16 == 0 && !walk.game.state().is_menu_open() {
            walk.check_undo();
        }
        if event % 64 == 0 {
            walk.check_menu();
        }
        if event % 500 == 0 {
            walk.start(event / 500 % 5);
        }
    }
    let RandomWalk { started, wins, undone, .. } = walk;
    println!("started {started:?}, won {wins}, undone {undone}");
    assert!(started.iter().all(|&times| times > 100) && wins > 1000 && undone > 1000);
}
