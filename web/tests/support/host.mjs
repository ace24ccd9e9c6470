// A web host for tests: serves the page of `cargo play` with changes, and can be stopped.

import { createServer } from "node:http";

export class Host {
  #server;
  #files;
  /** Functions that change the text of a file, by its name. */
  changes = {};

  static async start() {
    const host = new Host();
    host.#files = process.env.LIGHTS_OUT_ADDRESS;
    host.#server = createServer((request, response) => host.#answer(request, response));
    await new Promise((done) => { host.#server.listen(0, "127.0.0.1", done); });
    // If a test fails before `end`, Node.js can still exit.
    host.#server.unref();
    host.address = `http://127.0.0.1:${host.#server.address().port}/`;
    return host;
  }

  async #answer(request, response) {
    // A request for this file is never answered.
    if (request.url === "/never") return;
    const source = await fetch(new URL(request.url.slice(1), this.#files));
    let body = Buffer.from(await source.arrayBuffer());
    const change = this.changes[request.url.slice(1)];
    if (change) body = change(String(body));
    const headers = ["content-type", "content-security-policy"]
      .map((name) => [name, source.headers.get(name)])
      .filter(([, value]) => value);
    response.writeHead(source.status, Object.fromEntries(headers)).end(body);
  }

  /** Stops the host. */
  end() {
    this.#server.closeAllConnections();
    return new Promise((done) => { this.#server.close(done); });
  }
}
