//! What is around the page: screens, other tabs, no network, new versions, a slow computer, a page out of sight.

use super::driver::{FIRST_TAB, Screen, Tab, Wishes};
use super::page::{DESKTOP, PATIENCE, PHONE, Visitor, visit};
use std::fs;

in_both_browsers! {
    visit:
    it_fits_every_screen,
    a_second_tab_says_so_and_takes_over,
    it_works_without_a_network,
    a_new_version_is_offered,
    at_once_and_only_in_sight,
    a_slow_computer_is_told_that_time_runs_slower,
}

fn at_once_and_only_in_sight(visitor: &mut Visitor) {
    it_is_there_at_once_and_answers_at_once(visitor);
    a_hidden_page_stops_the_clock(visitor);
}

fn it_fits_every_screen(visitor: &mut Visitor) {
    let take_anew = std::env::var_os("LIGHTS_OUT_PICTURES").is_some();
    let pictures = setup::root().join("docs").join("pictures");
    let finger = |width, height| Screen { width, height, ..PHONE };
    let wide = Screen { width: 1920, height: 1080, ..DESKTOP };
    let mut loaded_for_fingers = None;
    for (screen, dark, name) in [
        (DESKTOP, true, "page-desktop.png"),
        (wide, true, ""),
        (finger(390, 844), false, "page-phone.png"),
        (finger(360, 640), true, ""),
        (finger(640, 360), true, ""),
        (finger(768, 1024), false, ""),
    ] {
        let Screen { width, height, .. } = screen;
        visitor.set_screen(screen);
        visitor.browser.set_wishes(Wishes { dark, reduced_motion: false });
        // The page follows a screen that changes its size, but not one that becomes another kind.
        if loaded_for_fingers.replace(screen.touch) != Some(screen.touch) {
            visitor.follow("#play=1Y8Z00T");
        }
        visitor.expect_status("A drawn board");
        visitor.expect(PATIENCE, "the new size", |page| page.value("innerWidth").as_u64() == Some(width.into()));
        let scroll = visitor.value("document.documentElement.scrollWidth").as_u64();
        assert_eq!(scroll, Some(width.into()), "nothing sticks out at {width} points");
        // A finger wants 40 points or so, also on the smallest screen.
        let key = visitor.value("document.querySelector('.key').getBoundingClientRect().width").as_f64();
        assert!(key.is_some_and(|key| key >= 40.0), "{key:?}");
        let bottom = "Math.max(...['#keys', '#commands'].map((part) => document.querySelector(part).getBoundingClientRect().bottom))";
        let bottom = visitor.value(bottom).as_f64().expect("points");
        assert!(bottom <= height.into(), "keys and commands are in sight at {width} x {height}: {bottom}");
        if width == 1920 {
            let share = visitor.value("document.getElementById('case').getBoundingClientRect().height / innerHeight");
            assert!(share.as_f64().is_some_and(|share| share > 0.75), "the handheld grows with the screen: {share}");
        }
        let picture = visitor.browser.screenshot();
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 20_000);
        // Chromium's are the ones in the documentation.
        if take_anew && !name.is_empty() && visitor.browser.name() == "Chromium" {
            fs::write(pictures.join(name), picture).expect("a picture");
        }
    }
}

fn a_second_tab_says_so_and_takes_over(visitor: &mut Visitor) {
    visitor.tap(7);
    visitor.expect_status("1 move");
    visitor.let_it_be_kept();
    let address = visitor.address();
    let second = visitor.browser.open_tab(address);
    visitor.browser.use_tab(second);
    visitor.expect_status("open in another tab");
    assert_eq!(visitor.lit(), 0);
    visitor.click("#offer-yes");
    visitor.expect(PATIENCE, "the game", |page| page.text("status").contains("Level 1 · 1 move"));
    visitor.tap(12);
    visitor.expect_status("2 moves");
    visitor.browser.use_tab(FIRST_TAB);
    visitor.expect_status("open in another tab");
}

fn it_works_without_a_network(visitor: &mut Visitor) {
    visitor.expect(PATIENCE, "all files kept", |page| page.value(IS_KEPT) == true);
    let manifest = "fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json()).then((it) => it.display)";
    assert_eq!(visitor.value(manifest), "standalone");
    visitor.browser.set_offline(true);
    visitor.reload();
    visitor.tap(7);
    visitor.expect_status("1 move");
    visitor.click("#guide");
    visitor.expect_text("guide-text", "Put all the lights out.");
    visitor.browser.set_offline(false);
    // With the next page all is said that the browser itself has to say of a network that is not there, which is no fault of the page.
    visitor.reload();
    visitor.expect_status("1 move");
    visitor.forgive();
}

/// A cache of the page with the list of its files in it, which goes in last.
const IS_KEPT: &str = "(async () => { for (const name of await caches.keys()) \
    if (name.startsWith('lights-out-page') && await (await caches.open(name)).match('files.json')) return true; return false; })()";

fn a_new_version_is_offered(visitor: &mut Visitor) {
    visitor.expect(PATIENCE, "all files kept", |page| page.value(IS_KEPT) == true);
    visitor.tap(7);
    visitor.expect_status("1 move");
    // As if the page that is kept were an older one: the same files under another version.
    visitor.value(
        "(async () => { const [name] = (await caches.keys()).filter((name) => name.startsWith('lights-out-page')); \
         const [now, old] = [await caches.open(name), await caches.open(name + 'old')]; \
         for (const request of await now.keys()) await old.put(request, await now.match(request)); await caches.delete(name); })()",
    );
    visitor.reload();
    visitor.expect_text("offer-text", "newer version");
    visitor.click("#offer-yes");
    visitor.expect(PATIENCE, "the same game", |page| {
        page.text("offer-text").is_empty() && page.text("status").contains("Level 1 · 1 move")
    });
}

fn a_hidden_page_stops_the_clock(visitor: &mut Visitor) {
    let hide = |visitor: &mut Visitor| {
        let other = visitor.browser.open_tab("about:blank");
        visitor.expect(PATIENCE, "another page", |page| page.value("document.hidden") == true);
        other
    };
    let show = |visitor: &mut Visitor, other: Tab| {
        visitor.browser.close_tab(other);
        visitor.expect(PATIENCE, "the page again", |page| page.value("document.hidden") == false);
    };
    // While a hint pulses, pictures are sent all the time.
    visitor.command("hint");
    visitor.hinted();
    let other = hide(visitor);
    let pictures = visitor.expect_standing("frames");
    show(visitor, other);
    visitor.expect(PATIENCE, "pictures", |page| page.text("frames") != pictures);
    // A key that is down when the page goes out of sight is let go: nobody would hear of its release.
    visitor.value("document.querySelectorAll('.key')[12].focus()");
    visitor.key(" ", "Space", true);
    let is_down = "!!document.querySelector('.key.down')";
    visitor.expect(PATIENCE, "the key", |page| page.value(is_down) == true);
    let other = hide(visitor);
    show(visitor, other);
    visitor.expect(PATIENCE, "the key up", |page| page.value(is_down) == false);
    visitor.key(" ", "Space", false);
}

fn a_slow_computer_is_told_that_time_runs_slower(visitor: &mut Visitor) {
    visitor.set_speed("4");
    visitor.command("hint");
    visitor.hinted();
    visitor.value(
        "window.notices = [], new MutationObserver(() => window.notices.push(document.getElementById('slow').textContent))\
         .observe(document.getElementById('slow'), { childList: true })",
    );
    // A page that is so slow is not asked meanwhile: it may take a minute to answer.
    visitor.expect(6 * PATIENCE, "the word", |page| {
        page.browser.slow_down(20);
        page.wait(5000);
        page.browser.slow_down(1);
        page.value("window.notices.some((notice) => notice.includes('time runs slower'))") == true
    });
    visitor.expect(3 * PATIENCE, "full speed", |page| page.text("slow").is_empty());
}

fn it_is_there_at_once_and_answers_at_once(visitor: &mut Visitor) {
    let first = visitor.value("Number(document.documentElement.dataset.firstFrame)").as_f64().expect("milliseconds");
    assert!(first < 10_000.0, "the first picture came after {first} ms");
    let files = "performance.getEntriesByType('resource').reduce((sum, file) => sum + file.decodedBodySize, 0)";
    let bytes = visitor.value(files).as_u64().expect("a number");
    assert!(bytes < 1_480_000, "all files beside the page's text: {bytes} bytes");
    // From a finger to the light, in pictures of the screen.
    visitor.value(
        "window.waits = [], document.addEventListener('pointerdown', () => { let pictures = 0; \
         const before = [...document.querySelectorAll('.light')].map((light) => light.style.opacity).join(); \
         (function look() { pictures += 1; const now = [...document.querySelectorAll('.light')].map((light) => light.style.opacity).join(); \
         if (now !== before || pictures > 60) window.waits.push(pictures); else requestAnimationFrame(look); })(); }, { capture: true })",
    );
    for _ in 0..10 {
        visitor.tap(20);
        visitor.wait(150);
    }
    visitor.expect(PATIENCE, "an answer to each", |page| page.value("window.waits.length") == 10);
    let waits = visitor.value("window.waits");
    let mut waits: Vec<u64> = waits.as_array().expect("counts").iter().filter_map(|count| count.as_u64()).collect();
    waits.sort_unstable();
    println!("pictures of the screen from press to light: {waits:?}; first picture after {first} ms");
    // Two on a computer that has nothing else to do; this one has.
    assert!(waits[5] <= 10, "{waits:?}");
}
