// What Firefox does for the tests from within: this runs in the browser's own window, not in a page. Everything that
// WebDriver has no words for is here; firefox.rs calls it by name.
"use strict";

window.driver = {
  tabs: [],
  context: 0,
  troubles: [],
  requests: [],

  // --- What went on ---------------------------------------------------------------------------------------------------

  watch() {
    // Firefox asks for things of its own, always on behalf of the system. Only a page's address itself is asked for so too.
    const ofPage = ({ loadInfo }) =>
      loadInfo.loadingPrincipal ? !loadInfo.loadingPrincipal.isSystemPrincipal
        : loadInfo.externalContentPolicyType === Ci.nsIContentPolicy.TYPE_DOCUMENT;
    const onChannel = (topic, look) => Services.obs.addObserver({
      observe(subject) {
        const channel = subject.QueryInterface(Ci.nsIHttpChannel);
        if (ofPage(channel)) look(channel);
      },
    }, topic);
    onChannel("http-on-opening-request", (channel) => this.requests.push(channel.URI.spec));
    onChannel("http-on-examine-response", (channel) => {
      if (channel.responseStatus >= 400) this.troubles.push(`${channel.responseStatus} ${channel.URI.spec}`);
    });
    // Of pages and of their workers. What a page writes to its console does not come here but to the standard output.
    Services.console.registerListener({
      observe: (message) => {
        if (!(message instanceof Ci.nsIScriptError) || message.logLevel < Ci.nsIConsoleMessage.warn) return;
        // Said of a page that is closed while it runs; there is no other time limit.
        if (message.errorMessage.startsWith("Script terminated by timeout")) return;
        // A style that only other browsers know is no trouble.
        if (!/^(http|blob|data):/.test(message.sourceName) || message.category === "CSS Parser") return;
        this.troubles.push(`${message.errorMessage} (${message.sourceName}:${message.lineNumber}, ${message.category})`);
      },
    });
  },

  // --- Tabs -----------------------------------------------------------------------------------------------------------

  // A container has storage, caches and workers of its own, so a new one is as good as a new profile.
  beginAnew() {
    const old = [...gBrowser.tabs];
    this.context += 1;
    this.tabs = [];
    this.openTab();
    for (const tab of old) gBrowser.removeTab(tab, { animate: false, skipPermitUnload: true });
    this.tip = Cc["@mozilla.org/text-input-processor;1"].createInstance(Ci.nsITextInputProcessor);
    this.troubles.length = this.requests.length = 0;
  },

  openTab() {
    const tab = gBrowser.addTab("about:blank", {
      userContextId: this.context,
      triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal(),
    });
    this.tabs.push(tab);
    gBrowser.selectedTab = tab;
    tab.linkedBrowser.focus();
  },

  // The tab before comes to sight, not a neighbour.
  closeTab(number) {
    const open = this.tabs.filter((tab, other) => tab && other !== number);
    if (this.tabs[number].selected) gBrowser.selectedTab = open.at(-1);
    gBrowser.removeTab(this.tabs[number], { animate: false, skipPermitUnload: true });
    this.tabs[number] = null;
    gBrowser.selectedBrowser.focus();
  },

  // --- Hands ----------------------------------------------------------------------------------------------------------

  // As from a touch screen: it passes through scrolling and zooming before the page gets it, if it does.
  // Resolves when it is on its way to the page.
  touch(finger, state, x, y) {
    const box = gBrowser.selectedBrowser.getBoundingClientRect();
    const place = [window.mozInnerScreenX + box.x + x, window.mozInnerScreenY + box.y + y];
    const [screenX, screenY] = place.map((points) => Math.round(points * window.devicePixelRatio));
    const flag = { contact: 2, remove: 4, cancel: 8 }[state];
    window.windowUtils.sendNativeTouchPoint(finger, flag, screenX, screenY, 1, 90, null);
  },

  key(down, key, code, keyCode) {
    gBrowser.selectedBrowser.focus();
    if (!this.tip.beginInputTransactionForTests(window)) throw new Error("the keyboard is in use");
    const event = new KeyboardEvent("", { key, code, keyCode });
    // The mouse must know of these too, so WebDriver sends them to the page; here they are only counted.
    const modifier = ["Shift", "Control", "Alt", "Meta"].includes(key);
    const flags = modifier ? this.tip.KEY_DONT_DISPATCH_MODIFIER_KEY_EVENT : 0;
    if (down) this.tip.keydown(event, flags);
    else this.tip.keyup(event, flags);
  },

  // --- Surroundings ---------------------------------------------------------------------------------------------------

  setScreen(number, width, height, scale, touch) {
    // Room for the browser's own bars.
    window.resizeTo(Math.max(width, 500) + 50, height + 200);
    const browser = this.tabs[number].linkedBrowser;
    for (const [side, points] of [["width", width], ["height", height]]) {
      for (const name of [side, `min-${side}`, `max-${side}`]) browser.style.setProperty(name, `${points}px`);
    }
    const context = browser.browsingContext;
    context.overrideDPPX = scale;
    context.inRDMPane = touch;
    context.setRDMPaneMaxTouchPoints(touch ? 5 : 0);
    context.touchEventsOverride = touch ? "enabled" : "none";
    // Bits: coarse, fine, hover.
    const pointer = touch ? 1 : 6;
    this.set({ "ui.primaryPointerCapabilities": pointer, "ui.allPointerCapabilities": pointer });
  },

  set(preferences) {
    for (const [name, value] of Object.entries(preferences)) {
      if (typeof value === "string") Services.prefs.setStringPref(name, value);
      else if (typeof value === "boolean") Services.prefs.setBoolPref(name, value);
      else Services.prefs.setIntPref(name, value);
    }
  },

  setOffline(offline) {
    Services.io.offline = offline;
  },
};
window.driver.watch();
// A menu of the browser's own would take all keys that follow.
document.getElementById("contentAreaContextMenu").addEventListener("popupshowing", (event) => event.preventDefault());
