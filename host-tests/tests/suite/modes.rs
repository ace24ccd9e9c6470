//! Every mode as a library, and a walk through all of them at random.

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
use player::{CoreDevice, Player, WIPED, cell, command, handled, ms, tap, ticked};
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
fn the_tutor_leads_to_a_dark_board_on_every_size() {
    for size in 0..4 {
        for seed in 0..10 {
            scenarios::the_tutor_leads_to_a_dark_board(&mut Player::new(CoreDevice::new(seed)), size);
        }
    }
}

#[test]
fn the_tutor_accepts_any_right_key_in_any_order() {
    let mut rng = Pcg32::new(5, 5);
    for seed in 0..200 {
        let mut player = Player::new(CoreDevice::new(seed));
        player.after_greeting();
        player.start(ModeKind::Tutor, &[(2, seed as usize % 4)]);
        for taps in 0.. {
            assert!(taps < 100, "the lesson does not end");
            let Mode::Tutor(tutor) = player.device.game.state().mode() else { panic!("not the tutor") };
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
fn the_difficulties_cover_all_pars_of_every_rule() {
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
fn results_of_levels_are_kept_and_only_get_better() {
    let mut records = Records::NONE;
    assert_eq!(records.progress(0), Progress::Open);
    assert_eq!(records.progress(1), Progress::Unopened);
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
fn all_levels_can_be_played_through_to_the_picker() {
    let mut player = player();
    player.after_greeting();
    for level in 0..level_boards::COUNT {
        player.expect_board(level_boards::board(level).unwrap());
        player.solve();
        player.wait(ms(100));
        player.tap(cell(2, 2));
        player.wait(WIPED);
        assert_eq!(player.device.game.state().records().progress(level), Progress::AtPar);
    }
    let Mode::Levels(levels) = player.device.game.state().mode() else { panic!("still in the levels") };
    assert!(levels.puzzle().is_none(), "after the last level the picker opens");
}

#[test]
fn random_counts_its_rounds() {
    let mut player = player();
    player.random_puzzle();
    for round in 1..4 {
        player.solve();
        player.wait(ms(100));
        player.tap(cell(2, 2));
        player.wait(WIPED);
        assert_eq!(player.device.game.state().records().rounds, round);
    }
}

#[test]
fn action_keeps_its_best_and_gets_faster_to_a_point() {
    assert_eq!((interval(0), interval(1), interval(64), interval(u32::MAX)), (2_000_000, 1_975_000, 400_000, 400_000));
    let limits = Size::ALL.map(|size| limit(Variant { rule: Rule::Plus, size }));
    assert_eq!(limits, [3, 7, 12, 18]);
    let mut player = player();
    scenarios::action_speeds_up_and_ends(&mut player);
    let survived: Vec<u32> = player
        .device
        .put_out
        .news
        .iter()
        .filter_map(|news| if let GameEvent::Survived { presses } = news { Some(*presses) } else { None })
        .collect();
    assert_eq!(survived, [player.device.game.state().records().best_action]);
    assert!(survived[0] > 3);
}

#[test]
fn the_menu_stops_the_clock_of_action() {
    let mut player = player();
    player.after_greeting();
    player.start(ModeKind::Action, &[]);
    player.command(Command::Menu);
    player.wait(ms(20_000));
    player.command(Command::Menu);
    assert!(player.board().lit_count() <= 5, "nothing was pressed behind the menu: {}", player.board());
}

#[test]
fn sound_is_off_until_it_is_switched_on() {
    let mut player = player();
    player.after_greeting();
    player.tap(cell(4, 4));
    player.command(Command::Undo);
    assert_eq!(player.device.put_out.sounds, []);
    player.command(Command::Menu);
    player.choose(4, 4);
    player.command(Command::Menu);
    player.device.put_out.sounds.clear();
    player.tap(cell(4, 4));
    assert_eq!(player.device.put_out.sounds, [Sound::Tap]);
    player.command(Command::Undo);
    player.device.put_out.sounds.clear();
    player.command(Command::Next);
    assert_eq!(player.device.put_out.sounds.last(), Some(&Sound::Error), "the next level is not open");
    player.solve();
    assert_eq!(player.device.put_out.sounds.last(), Some(&Sound::Win));
}

#[test]
fn what_a_command_takes_back_may_be_of_another_rule() {
    let mut player = player();
    player.after_greeting();
    player.start(ModeKind::Random, &[(1, 1), (2, 2)]);
    let board = player.board();
    player.command(Command::Menu);
    player.choose(1, 4);
    player.choose(0, 4);
    // Action starts on the ring rule with this tap, which is half of a command that is not completed; then menu again.
    player.press(cell(0, 4));
    player.wait(ms(100));
    player.press(cell(4, 0));
    player.wait(ms(900));
    player.release(cell(0, 4));
    player.release(cell(4, 0));
    player.wait(ms(400));
    assert!(player.is_menu(), "next means nothing in the menu, and the start is taken back");
    player.command(Command::Menu);
    player.expect_board(board);
    player.command(Command::Hint);
    let key = player.hinted_key().expect("a hint");
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

/// What must hold whatever was pressed.
fn check(game: &mut Game, now: u64, solvers: &[Solver]) {
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

#[test]
fn a_million_events_at_random_break_nothing() {
    let solvers: Vec<Solver> = Variant::all().map(Solver::new).collect();
    let mut rng = Pcg32::new(1_000_000, 4);
    let (mut now, mut started, mut wins, mut undone) = (0_u64, [0_u32; 5], 0_u32, 0_u32);
    let mut game = Game::new(now, 1);
    for event in 0..1_000_000_u32 {
        now += 1 + u64::from(rng.next_u32() % if rng.next_u32().is_multiple_of(50) { 8_000_000 } else { 60_000 });
        if let Some(due) = game.deadline(now).filter(|&due| due <= now) {
            ticked(&mut game, due.max(now));
        }
        let any_key = Cell::new(rng.next_u32() as usize % 25).unwrap();
        let put_out = match rng.next_u32() % 100 {
            // Mostly towards a solution, or nothing would ever be won.
            0..40 => {
                let good = running(&game).and_then(|play| {
                    let solver = solvers.iter().find(|solver| solver.variant() == play.round().variant())?;
                    solver.hint(play.round().board())
                });
                handled(&mut game, now, tap(good.unwrap_or(any_key)))
            }
            40..85 => handled(&mut game, now, tap(any_key)),
            85..99 => {
                let take_back = rng.next_u32().is_multiple_of(3).then(|| Corner::ALL[rng.next_u32() as usize % 4]);
                let command = Command::ALL[rng.next_u32() as usize % 6];
                handled(&mut game, now, KeyEvent::Gesture(Gesture::Command { command, take_back }))
            }
            _ => ticked(&mut game, now),
        };
        for news in put_out.news {
            match news {
                GameEvent::Won { moves, par } => {
                    wins += 1;
                    assert!(moves > 0 && par > 0);
                }
                GameEvent::Started(kind) => started[kind as usize] += 1,
                _ => {}
            }
        }
        check(&mut game, now, &solvers);

        // A move and its undo lead back, wherever a board is in play.
        if event % 16 == 0 && !game.state().in_menu() {
            let quiet = running(&game).filter(|play| play.is_quiet()).map(|play| play.round().board());
            if let (Some(board), Mode::Random(_) | Mode::Levels(_)) = (quiet, game.state().mode()) {
                handled(&mut game, now, tap(any_key));
                let moved = running(&game).is_some_and(|play| play.is_quiet() && play.round().board() != board);
                if moved {
                    handled(&mut game, now, command(Command::Undo));
                    assert_eq!(running(&game).map(|play| play.round().board()), Some(board));
                    undone += 1;
                }
            }
        }
        // The menu command always gets out, and in again.
        if event % 64 == 0 {
            let before = game.state().in_menu();
            handled(&mut game, now, command(Command::Menu));
            assert_ne!(game.state().in_menu(), before);
            handled(&mut game, now, command(Command::Menu));
            assert_eq!(game.state().in_menu(), before);
        }
        // Now and then somewhere else, so that every mode is seen.
        if event % 500 == 0 {
            if !game.state().in_menu() {
                handled(&mut game, now, command(Command::Menu));
            }
            for row in [1, 2, 3] {
                handled(&mut game, now, tap(Cell::at(row, rng.next_u32() as usize % 5).unwrap()));
            }
            let mode = Cell::at(0, event as usize / 500 % 5).unwrap();
            let first = handled(&mut game, now, tap(mode));
            if game.state().in_menu() {
                handled(&mut game, now, tap(mode));
            }
            assert!(!game.state().in_menu(), "{first:?}");
            assert_eq!(game.state().mode().kind() as usize, mode.column());
            started[mode.column()] += 1;
        }
    }
    println!("started {started:?}, won {wins}, undone {undone}");
    assert!(started.iter().all(|&times| times > 100) && wins > 1000 && undone > 1000);
}
