// A web host of the test's own: hands out the page that `cargo play` serves, with changes, and goes away when it is told to.

import { createServer } from "node:http";

export class Host {
  #server;
  #files;
  /** What becomes of the text of a file, by its name. */
  changes = {};

  static async start() {
    const host = new Host();
    host.#files = process.env.LIGHTS_OUT_ADDRESS;
    host.#server = createServer((request, response) => host.#answer(request, response));
    await new Promise((done) => { host.#server.listen(0, "127.0.0.1", done); });
    // A test that fails before `end` must not keep Node.js running.
    host.#server.unref();
    host.address = `http://127.0.0.1:${host.#server.address().port}/`;
    return host;
  }

  async #answer(request, response) {
    // Whoever asks for this waits for ever.
    if (request.url === "/never") return;
    const answer = await fetch(new URL(request.url.slice(1), this.#files));
    let body = Buffer.from(await answer.arrayBuffer());
    const change = this.changes[request.url.slice(1)];
    if (change) body = change(String(body));
    const kept = ["content-type", "content-security-policy"].map((name) => [name, answer.headers.get(name)]).filter(([, value]) => value);
    response.writeHead(answer.status, Object.fromEntries(kept)).end(body);
  }

  /** No request is answered any more. */
  end() {
    this.#server.closeAllConnections();
    return new Promise((done) => { this.#server.close(done); });
  }
}
