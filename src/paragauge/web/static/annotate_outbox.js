// Changes to be sent to the server, one after another, each retried until it arrives.
// They are also kept in the browser's local storage, so that a page closed while offline sends them when reopened.
// Every change has a token; one that arrives twice counts once.

const FIRST_WAIT = 500, LONGEST_WAIT = 10000, TIMEOUT = 15000;

export class Outbox {
  // prefix: prefix of the keys in local storage. address: URL of the request for a change.
  // Callbacks: status(waiting, reason, seconds), saved(change, answer), refused(change, why).
  constructor({ prefix, address, status, saved, refused }) {
    Object.assign(this, { prefix, address, status, saved, refused });
    this.queue = [];
    this.running = false;
    this.wake = () => {};
    this.queue.push(...this.remembered());
    window.addEventListener("online", () => this.wake());
  }

  // Changes that closed pages could not send.
  remembered() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix)).sort();
      return keys.map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
    } catch {
      return []; // the browser does not allow local storage
    }
  }

  forget(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      // No local storage.
    }
  }

  get waiting() {
    return this.queue.length;
  }

  pending(number) {
    return this.queue.filter((entry) => entry.number === number).map((entry) => entry.change);
  }

  add(number, change) {
    this.order = Math.max((this.order ?? 0) + 1, Date.now());
    const entry = { key: `${this.prefix}${String(this.order).padStart(16, "0")}.${change.token}`, number, change };
    this.queue.push(entry);
    try {
      localStorage.setItem(entry.key, JSON.stringify({ number, change }));
    } catch {
      // Local storage is full or forbidden: the queue and the warning before closing remain.
    }
    this.run();
  }

  async run() {
    if (this.running) return;
    this.running = true;
    let wait = FIRST_WAIT;
    while (this.queue.length) {
      const entry = this.queue[0];
      if (wait === FIRST_WAIT) this.status(this.queue.length); // otherwise the error message stays on the screen
      const { answer, refusal, reason } = await this.send(entry);
      if (reason) {
        this.status(this.queue.length, reason, wait / 1000);
        await new Promise((resolve) => {
          this.wake = resolve;
          setTimeout(resolve, wait);
        });
        wait = Math.min(2 * wait, LONGEST_WAIT);
        continue;
      }
      wait = FIRST_WAIT;
      this.queue.shift();
      this.forget(entry.key);
      if (refusal) this.refused(entry, refusal);
      else this.saved(entry, answer);
    }
    this.running = false;
    this.status(0);
  }

  // Return the answer, the refusal of an invalid change, or the reason to try again.
  async send({ number, change }) {
    const body = JSON.stringify(change);
    try {
      const response = await fetch(this.address(number), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        keepalive: body.length < 30000, // is sent even while the page is being closed
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const answer = await response.json();
      if (response.ok) return { answer };
      if (response.status === 409 || response.status === 422) return { refusal: answer.detail };
      return { reason: `the server reports: ${answer.detail}` };
    } catch {
      return { reason: "the server does not respond" };
    }
  }
}

export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
