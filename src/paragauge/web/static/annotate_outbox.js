// Changes on their way to the server: one after the other, again and again until it has them.
// They also lie in the browser's own store, so that a page closed without a server sends them when it is opened again.
// Every change carries a token; one that arrives twice counts once.

const FIRST_WAIT = 500, LONGEST_WAIT = 10000, TIMEOUT = 15000;

export class Outbox {
  // prefix: of the keys in the browser's store. address: of the request for a change. Called back: status(waiting, reason, seconds),
  // saved(change, answer), refused(change, why).
  constructor({ prefix, address, status, saved, refused }) {
    Object.assign(this, { prefix, address, status, saved, refused });
    this.queue = [];
    this.running = false;
    this.wake = () => {};
    this.queue.push(...this.remembered());
    window.addEventListener("online", () => this.wake());
  }

  // What pages that were closed could not send.
  remembered() {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.prefix)).sort();
      return keys.map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
    } catch {
      return []; // the browser allows no store
    }
  }

  forget(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      // There is none.
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
      // The browser's store is full or forbidden: the queue and the question before closing remain.
    }
    this.run();
  }

  async run() {
    if (this.running) return;
    this.running = true;
    let wait = FIRST_WAIT;
    while (this.queue.length) {
      const entry = this.queue[0];
      if (wait === FIRST_WAIT) this.status(this.queue.length); // else what is wrong stays on the screen
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

  // Returns the answer; or the refusal of a change that makes no sense; or the reason to try again.
  async send({ number, change }) {
    const body = JSON.stringify(change);
    try {
      const response = await fetch(this.address(number), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        keepalive: body.length < 30000, // goes out even while the page is being closed
        signal: AbortSignal.timeout(TIMEOUT),
      });
      const answer = await response.json();
      if (response.ok) return { answer };
      if (response.status === 409 || response.status === 422) return { refusal: answer.detail };
      return { reason: `the server says: ${answer.detail}` };
    } catch {
      return { reason: "the server does not answer" };
    }
  }
}

export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
