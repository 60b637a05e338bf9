// Code shared by all pages of the workbench: requests to the API, jobs with progress, elements. Texts are always inserted
// as text; HTML from the server is escaped there.

export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export class Problem extends Error {}

// Post a job and return its result. The response consists of lines: progress, then the result or a problem.
export async function post(path, body, { signal, progress = () => {} } = {}) {
  const answer = await ask(`${path}?stream=true`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal,
  });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let pieces = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Problem("the server closed the connection before sending a result; is it still running?");
    const lines = value.split("\n");
    while (lines.length > 1) {
      pieces.push(lines.shift());
      const line = JSON.parse(pieces.join(""));
      pieces = [];
      if (line.event === "progress") progress(line.progress);
      else if (line.event === "problem") throw new Problem(line.problem.detail);
      else return line.result;
    }
    pieces.push(lines[0]);
  }
}

export async function get(path) {
  return (await ask(path)).json();
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    throw options.signal?.aborted ? error : new Problem("the server does not respond; is it still running?");
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({ detail: `the server answered ${answer.status}` }));
  throw new Problem(problem.detail);
}

export async function copy(text, status, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // allowed only for local pages or with TLS: fall back to the old way
    const area = make("textarea", { class: "for-readers", "aria-hidden": "true" });
    area.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  status.textContent = said;
}

// Offer a value as a file.
export function save(name, value) {
  const address = URL.createObjectURL(new Blob([JSON.stringify(value, null, 1)], { type: "application/json" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export const shown = (value) => (value === null || value === undefined ? "" : value.toFixed(4));

// A table; columns of whole numbers show no decimals.
export function table(columns, rows, caption) {
  const whole = columns.map((_, place) => rows.every((row) => row[place] === null || Number.isInteger(row[place])));
  const head = make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell, place) =>
    typeof cell === "string"
      ? make("td", {}, cell)
      : make("td", { class: "number" }, whole[place] ? String(cell ?? "") : shown(cell)))));
  return make("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

// Run one job at a time, with progress, a stop button and error messages.
export function runner(work) {
  const form = byId("form"), stop = byId("stop"), bar = byId("progress"), status = byId("status"), problem = byId("problem");
  let running = null;
  const say = (error) => {
    problem.textContent = error?.message ?? "";
    problem.className = error ? "error" : "";
  };
  async function run() {
    running?.abort();
    const own = (running = new AbortController());
    say(null);
    stop.disabled = false;
    bar.removeAttribute("value");
    status.textContent = "working";
    const progress = ({ done, total, what }) => {
      if (total) bar.value = done / total;
      else bar.removeAttribute("value"); // nobody knows how many steps there will be
      const of = total ? ` of ${total.toLocaleString("en")}` : "";
      status.textContent = `${done.toLocaleString("en")}${of}: ${what}`;
    };
    try {
      status.textContent = await work({ signal: own.signal, progress });
      bar.value = 1;
    } catch (error) {
      if (running !== own) return;
      bar.value = 0;
      status.textContent = own.signal.aborted ? "stopped" : "";
      if (!own.signal.aborted) say(error);
    } finally {
      if (running === own) {
        running = null;
        stop.disabled = true;
      }
    }
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  stop.addEventListener("click", () => running?.abort());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run();
  });
  return { run, say };
}
