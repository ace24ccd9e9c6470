//! The driver does what its words say, in each browser: a page that writes down every event is told about its hands.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::driver::{self, Browser, Button, FIRST_TAB, Kind, Screen, Wishes};

in_both_browsers! {
    run:
    mouse_and_keyboard_are_real,
    fingers_are_real_and_scroll,
    files_are_chosen_and_dropped,
    screens_and_wishes_are_seen,
    tabs_share_storage_that_begins_empty,
    the_network_can_be_taken_away,
    troubles_and_requests_are_noted,
    cost_is_counted_and_a_slow_computer_is_slow,
}

/// A server for the pages below, until the tests end.
fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                thread::spawn(|| answer(stream));
            }
        });
        address
    })
}

/// One request, of which only the first line counts. A browser that has gone away needs no answer.
fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split([' ', '?']).nth(1).unwrap_or_default();
    let (status, kind, body) = match path {
        "/" => ("200 OK", "text/html", PAGE),
        "/worker.js" => ("200 OK", "text/javascript", "onmessage = ({ data }) => { eval(data); };"),
        "/service.js" => ("200 OK", "text/javascript", SERVICE),
        _ => ("404 Not Found", "text/plain", "no"),
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

/// A square that keeps touches for itself, above much that scrolls. All events are written down.
const PAGE: &str = "<!doctype html><meta name=viewport content='width=device-width'><link rel=icon href='data:,'>
    <body style='margin:0'><div style='height:100px;touch-action:none'><button>b</button></div><p style='height:3000px'>
    <input type=file hidden><script>
    const seen = [];
    const note = (event) => seen.push({ type: event.type, trusted: event.isTrusted, key: event.key, code: event.code,
      shift: event.shiftKey, ctrl: event.ctrlKey, button: event.button, kind: event.pointerType,
      fingers: event.touches?.length, x: Math.round(event.clientX), y: Math.round(event.clientY) });
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel', 'touchstart', 'touchend',
      'touchcancel', 'click', 'contextmenu', 'keydown', 'keyup']) addEventListener(type, note, { passive: true });
    window.take = () => JSON.stringify(seen.splice(0));
    addEventListener('dragover', (event) => event.preventDefault());
    const tell = async (file) => { window.told = file.name + ' ' + await file.text(); };
    addEventListener('drop', (event) => { event.preventDefault(); tell(event.dataTransfer.files[0]); });
    document.querySelector('input').onchange = (event) => tell(event.target.files[0]);
    window.inWorker = (code) => new Worker('worker.js').postMessage(code);
    </script>";

/// Keeps the page, and asks the network for all else.
const SERVICE: &str = "
    oninstall = (event) => event.waitUntil(caches.open('kept').then((cache) => cache.add('./')));
    onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) => event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));";

fn run(kind: Kind, test: &str, prove: fn(&mut dyn Browser)) {
    driver::lend(kind, test, |mut browser| {
        prove(&mut *browser);
        browser
    });
}

/// Looks until the page says so.
#[track_caller]
fn expect(browser: &mut dyn Browser, expression: &str) {
    let started = Instant::now();
    while browser.value(expression) != true {
        assert!(started.elapsed() < Duration::from_secs(20), "not so in {}: {expression}", browser.name());
        thread::sleep(Duration::from_millis(20));
    }
}

/// The events so far, once this type is among them; the last event of that type.
#[track_caller]
fn event(browser: &mut dyn Browser, seen: &mut Vec<Value>, kind: &str) -> Value {
    let started = Instant::now();
    loop {
        let new = browser.value("window.take()");
        seen.extend(serde_json::from_str::<Vec<Value>>(new.as_str().expect("a text")).expect("events"));
        if let Some(place) = seen.iter().rposition(|event| event["type"] == kind) {
            let found = seen[place].clone();
            seen.clear();
            assert_eq!(found["trusted"], true, "{found}");
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(20), "no {kind} in {}: {seen:?}", browser.name());
        thread::sleep(Duration::from_millis(20));
    }
}

fn mouse_and_keyboard_are_real(browser: &mut dyn Browser) {
    browser.go(address());
    let seen = &mut Vec::new();
    browser.mouse_move((50.0, 60.0));
    browser.mouse_down(Button::Left);
    let down = event(browser, seen, "pointerdown");
    assert_eq!((&down["kind"], &down["x"], &down["y"]), (&json!("mouse"), &json!(50), &json!(60)));
    browser.mouse_move((55.0, 60.0));
    assert_eq!(event(browser, seen, "pointermove")["x"], 55);
    browser.mouse_up(Button::Left);
    assert_eq!(event(browser, seen, "click")["shift"], false);
    for (button, number) in [(Button::Middle, 1), (Button::Right, 2)] {
        browser.mouse_down(button);
        browser.mouse_up(button);
        assert_eq!(event(browser, seen, "pointerup")["button"], number);
    }

    browser.key_down("Shift", "ShiftLeft");
    browser.mouse_down(Button::Left);
    browser.mouse_up(Button::Left);
    assert_eq!(event(browser, seen, "click")["shift"], true);
    browser.key_down("A", "KeyA");
    browser.key_up("A", "KeyA");
    let up = event(browser, seen, "keyup");
    assert_eq!((&up["key"], &up["code"], &up["shift"]), (&json!("A"), &json!("KeyA"), &json!(true)));
    browser.key_up("Shift", "ShiftLeft");
    assert_eq!(event(browser, seen, "keyup")["key"], "Shift");
    browser.key_down("Control", "ControlLeft");
    browser.key_down("y", "KeyY");
    let down = event(browser, seen, "keydown");
    assert_eq!((&down["key"], &down["ctrl"], &down["shift"]), (&json!("y"), &json!(true), &json!(false)));
    browser.key_up("y", "KeyY");
    browser.key_up("Control", "ControlLeft");
    // A French keyboard, and a key that a browser acts upon.
    browser.key_down("q", "KeyA");
    let down = event(browser, seen, "keydown");
    assert_eq!((&down["key"], &down["code"], &down["ctrl"]), (&json!("q"), &json!("KeyA"), &json!(false)));
    browser.key_up("q", "KeyA");
    browser.value("document.querySelector('button').focus()");
    for (key, code) in [("Enter", "Enter"), (" ", "Space")] {
        event_free(browser, seen);
        browser.key_down(key, code);
        browser.key_up(key, code);
        event(browser, seen, "click");
    }
}

fn event_free(browser: &mut dyn Browser, seen: &mut Vec<Value>) {
    browser.value("window.take()");
    seen.clear();
}

fn fingers_are_real_and_scroll(browser: &mut dyn Browser) {
    browser.set_screen(Screen { width: 390, height: 844, scale: 2, touch: true });
    browser.go(address());
    let seen = &mut Vec::new();
    browser.touch_down(0, (150.0, 50.0));
    thread::sleep(Duration::from_millis(50));
    browser.touch_up(0);
    event(browser, seen, "click");
    browser.touch_down(0, (150.0, 50.0));
    let down = event(browser, seen, "pointerdown");
    assert_eq!((&down["kind"], &down["x"], &down["y"]), (&json!("touch"), &json!(150), &json!(50)));
    browser.touch_down(1, (250.0, 60.0));
    assert_eq!(event(browser, seen, "touchstart")["fingers"], 2);
    browser.touch_up(0);
    let up = event(browser, seen, "pointerup");
    assert_eq!((&up["x"], &up["y"]), (&json!(150), &json!(50)), "the first finger");
    browser.touch_move(1, (200.0, 60.0));
    assert_eq!(event(browser, seen, "pointermove")["x"], 200);
    browser.touch_up(1);
    assert_eq!(event(browser, seen, "touchend")["fingers"], 0);
    // No tap here: see `Browser::touch_up`.
    browser.touch_down(0, (150.0, 50.0));
    browser.touch_cancel();
    event(browser, seen, "pointercancel");
    // What scrolls takes the finger away.
    browser.touch_down(0, (200.0, 700.0));
    for step in 1..=20 {
        browser.touch_move(0, (200.0, 700.0 - 20.0 * f64::from(step)));
        thread::sleep(Duration::from_millis(10));
    }
    event(browser, seen, "pointercancel");
    browser.touch_up(0);
    expect(browser, "scrollY > 200");
}

fn files_are_chosen_and_dropped(browser: &mut dyn Browser) {
    let file = std::env::temp_dir().join(format!("lights-out-driver-{}.txt", std::process::id()));
    fs::write(&file, "all of it").expect("a file");
    browser.go(address());
    browser.choose_file("input", &file);
    expect(browser, "!!window.told?.endsWith('.txt all of it')");
    browser.value("(window.told = '')");
    browser.drop_file((100.0, 200.0), &file);
    expect(browser, "!!window.told?.endsWith('.txt all of it')");
    fs::remove_file(&file).expect("the file");
}

fn screens_and_wishes_are_seen(browser: &mut dyn Browser) {
    let phone = Screen { width: 320, height: 568, scale: 3, touch: true };
    let desktop = Screen { width: 1280, height: 960, scale: 1, touch: false };
    let media = "matchMedia('(prefers-color-scheme: dark)').matches + ' ' + matchMedia('(pointer: coarse)').matches \
                 + ' ' + matchMedia('(prefers-reduced-motion: reduce)').matches + ' ' + ('ontouchstart' in window)";
    for (screen, wishes, says) in [
        (desktop, Wishes { dark: true, reduced_motion: false }, "true false false false"),
        (phone, Wishes { dark: false, reduced_motion: true }, "false true true true"),
        (desktop, Wishes { dark: false, reduced_motion: false }, "false false false false"),
    ] {
        browser.set_screen(screen);
        browser.set_wishes(wishes);
        browser.go(address());
        expect(browser, &format!("{media} === '{says}'"));
        let Screen { width, height, scale, .. } = screen;
        expect(browser, &format!("innerWidth === {width} && innerHeight === {height} && devicePixelRatio === {scale}"));
        let picture = browser.screenshot();
        assert!(picture.starts_with(b"\x89PNG"));
        // Where the header has the size.
        let size: Vec<_> =
            [16, 20].map(|at| picture[at..at + 4].iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte))).into();
        assert_eq!(size, [width * scale, height * scale], "{}", browser.name());
    }
}

fn tabs_share_storage_that_begins_empty(browser: &mut dyn Browser) {
    for _ in 0..2 {
        browser.go(address());
        expect(browser, "localStorage.getItem('driver') === null");
        browser.value("localStorage.setItem('driver', 'here')");
        expect(browser, "!document.hidden");
        let other = browser.open_tab(address());
        expect(browser, "document.hidden");
        browser.use_tab(other);
        expect(browser, "!document.hidden && localStorage.getItem('driver') === 'here'");
        browser.use_tab(FIRST_TAB);
        browser.close_tab(other);
        expect(browser, "!document.hidden");
        browser.value("(window.before = 1)");
        browser.reload();
        expect(browser, "window.before === undefined && localStorage.getItem('driver') === 'here'");
        browser.begin_anew();
    }
}

fn the_network_can_be_taken_away(browser: &mut dyn Browser) {
    browser.go(address());
    // Not asked once: a page may hear that it is offline a moment before it is.
    let reachable = |is: bool| format!("fetch('?' + Math.random()).then(() => {is}, () => {})", !is);
    for offline in [false, true, false] {
        browser.set_offline(offline);
        expect(browser, &format!("navigator.onLine === {}", !offline));
        expect(browser, &reachable(!offline));
    }
    // A service worker has no network of its own.
    browser.value(
        "navigator.serviceWorker.register('service.js').then(() => navigator.serviceWorker.ready).then(() => 1)",
    );
    expect(browser, "!!navigator.serviceWorker.controller");
    expect(browser, &reachable(true));
    browser.set_offline(true);
    browser.value("(window.before = 1)");
    browser.reload();
    assert_eq!(browser.value("window.before === undefined && typeof window.take"), "function");
    expect(browser, &reachable(false));
}

/// Chromium has told of a worker's request twenty seconds late, after a test that took the network away.
const NOTED_WITHIN: Duration = Duration::from_secs(60);

fn troubles_and_requests_are_noted(browser: &mut dyn Browser) {
    browser.go(address());
    thread::sleep(Duration::from_millis(300));
    assert_eq!(browser.troubles(), [""; 0]);
    for (number, trouble) in [
        "console.warn('trouble 0')",
        "console.error('trouble 1')",
        "void setTimeout(() => { throw new Error('trouble 2') })",
        "void Promise.reject(new Error('trouble 3'))",
        "inWorker(`console.warn('trouble 4')`)",
        "inWorker(`throw new Error('trouble 5')`)",
        "inWorker(`Promise.reject(new Error('trouble 6'))`)",
    ]
    .iter()
    .enumerate()
    {
        browser.value(trouble);
        let started = Instant::now();
        while !browser.troubles().iter().any(|told| told.contains(&format!("trouble {number}"))) {
            assert!(started.elapsed() < NOTED_WITHIN, "{trouble} in {}: {:?}", browser.name(), browser.troubles());
            thread::sleep(Duration::from_millis(20));
        }
    }
    let elsewhere = format!("{}elsewhere", address());
    for place in [
        format!("void fetch('{elsewhere}?page').catch(() => 0)"),
        format!("inWorker(`fetch('{elsewhere}?worker').catch(() => 0)`)"),
    ] {
        browser.value(&place);
    }
    for who in ["page", "worker"] {
        let started = Instant::now();
        while !browser.requests().contains(&format!("{elsewhere}?{who}")) {
            assert!(started.elapsed() < NOTED_WITHIN, "{who} in {}: {:?}", browser.name(), browser.requests());
            thread::sleep(Duration::from_millis(20));
        }
    }
    browser.begin_anew();
    assert_eq!((browser.troubles(), browser.requests()), (vec![], vec![]));
}

fn cost_is_counted_and_a_slow_computer_is_slow(browser: &mut dyn Browser) {
    browser.go(address());
    let work = "(() => { const end = performance.now() + 500; let done = 0; while (performance.now() < end) done += 1; \
                return done; })()";
    let mut done = || {
        let before = browser.processor_seconds();
        let done = browser.value(work).as_f64().expect("a number");
        (done, browser.processor_seconds() - before)
    };
    // On a computer that is busy with other things, any of these may come to less than it should: then once more.
    const TRIES: usize = 8;
    let counted: Vec<_> = (0..TRIES).map(|_| done().1).take_while(|cost| !(0.2..3.0).contains(cost)).collect();
    assert!(counted.len() < TRIES, "half a second of work cost {counted:?} s in {}", browser.name());
    let slowed: Vec<_> = (0..TRIES)
        .map(|_| {
            let mut at_speed = |times| {
                browser.slow_down(times);
                browser.value(work).as_f64().expect("a number")
            };
            [1, 10, 1].map(|times| at_speed(times).round())
        })
        .take_while(|[before, slowed, after]| *slowed >= 0.5 * before || *after <= 0.3 * before)
        .collect();
    assert!(slowed.len() < TRIES, "before, slowed, after in {}: {slowed:?}", browser.name());
}
