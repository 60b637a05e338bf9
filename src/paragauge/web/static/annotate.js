// The annotation page: one pair at a time, every change saved immediately.

import { Grid, nameOf } from "./annotate_grid.js";
import { Outbox, newToken } from "./annotate_outbox.js";
import { NONE, PairState, formatCells, parseCells } from "./annotate_state.js";

const IDLE = 60000; // ms without input after which the annotator counts as idle
const BRIEF = 300; // ms; faster saves are not shown

const byId = (id) => document.getElementById(id);
const { api, project, annotator, pairs, maxCells } = byId("annotate").dataset;
const count = Number(pairs);

let pair = null; // the server's data of the pair shown
let state = null;
let finished = new Set();
let opening = 0; // number of the latest request for a pair
let loading = false; // another pair is being loaded
let moves = 0; // number of changes made or received
const ahead = new Map(); // prefetched pairs by number
let speaking = null;
let notice = null; // shown instead of "saved" until the next change

// Time

const clock = { total: 0, last: performance.now() };

function touch() {
  const now = performance.now();
  clock.total += Math.min(now - clock.last, IDLE);
  clock.last = now;
}

function takeSeconds() {
  if (!document.hidden) touch();
  const seconds = Math.round(clock.total / 100) / 10;
  clock.total = 0;
  return Math.min(seconds, 3600);
}

function showClock() {
  if (!state || document.hidden) return;
  const running = clock.total + Math.min(performance.now() - clock.last, IDLE);
  const seconds = Math.floor(state.seconds + running / 1000);
  byId("clock").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Saving

function say(text) {
  // Repeating the same text announces it twice.
  const line = document.createElement("span");
  line.textContent = text;
  byId("announce").replaceChildren(line);
}

// Show a notice until the next change.
function tell(text) {
  notice = text;
  say(text);
  if (!outbox.waiting) showSaving(0);
}

function showSaving(waiting, reason, seconds) {
  clearTimeout(speaking);
  const place = byId("saving");
  place.dataset.waiting = waiting;
  byId("retry").classList.toggle("hidden", !reason);
  place.classList.toggle("failed", Boolean(reason));
  if (reason) {
    const what = waiting === 1 ? "1 change is" : `${waiting} changes are`;
    place.textContent = `Not saved: ${what} waiting, ${reason}. Trying again in ${seconds} s; nothing is lost.`;
  } else if (waiting) {
    speaking = setTimeout(() => { place.textContent = "Saving …"; }, BRIEF);
  } else {
    place.textContent = notice ?? "All changes are saved.";
  }
}

const outbox = new Outbox({
  prefix: `paragauge.annotate.${project}.${annotator}.`,
  address: (number) => `${api}/pairs/${number}/changes`,
  status: showSaving,
  saved({ number, change }, answer) {
    moves += 1;
    if (change.kind === "done" || change.kind === "open") readProgress();
    ahead.delete(number);
    if (number !== pair?.number || outbox.pending(number).length) return;
    if (!isShown(answer)) {
      notice = "Saved. This pair was also changed in another window; both changes are shown here.";
      open(number);
    }
  },
  refused({ number }, why) {
    moves += 1;
    ahead.delete(number);
    notice = `Pair ${number}: ${why}.`;
    if (number === pair?.number) open(number);
  },
});

function record(change) {
  if (loading) return; // it would change the wrong pair
  moves += 1;
  notice = null;
  const whole = { project, token: newToken(), cells: "", seconds: takeSeconds(), ...change };
  state.apply(whole);
  noteFinished(pair.number, whole.kind);
  outbox.add(pair.number, whole);
  showState();
}

// Pairs

async function get(path) {
  const response = await fetch(`${api}/${path}`, { signal: AbortSignal.timeout(30000) }).catch(() => {
    throw new Error("the server does not respond");
  });
  if (!response.ok) throw new Error((await response.json()).detail);
  return response.json();
}

let mean = null; // seconds per finished pair

async function readProgress() {
  try {
    const read = await get("progress");
    finished = new Set(read.finished);
    mean = read.seconds_per_pair;
  } catch {
    return; // requested again with the next change
  }
  for (const { number, change } of outbox.queue) noteFinished(number, change.kind);
  showProgress();
}

function noteFinished(number, kind) {
  if (kind === "done") finished.add(number);
  else if (kind === "open") finished.delete(number);
}

function showProgress() {
  byId("bar").value = finished.size;
  byId("progress").textContent = `${finished.size} of ${count} finished` + (mean === null ? "" : `, ${mean.toFixed(0)} s per pair`);
}

// Show a pair as stored on the server, plus the changes that are still being sent.
async function open(number) {
  const wanted = Math.max(1, Math.min(count, number));
  const mine = ++opening;
  let read = ahead.get(wanted)?.read;
  if (!read) {
    setLoading(wanted !== pair?.number);
    try {
      let before;
      do { // again if anything changed meanwhile: the data read may lack it
        before = moves;
        read = await get(`pairs/${wanted}`);
        if (mine !== opening) return;
      } while (before !== moves);
    } catch (error) {
      if (mine === opening) cannotOpen(wanted, error.message);
      return;
    }
  }
  setLoading(false);
  const same = pair?.number === wanted;
  if (!same || !isShown(read)) {
    pair = read;
    state = new PairState(pair);
    for (const change of outbox.pending(wanted)) if (!pair.tokens.includes(change.token)) state.apply(change);
    if (!same) {
      clock.total = 0;
      clock.last = performance.now();
    }
    showPair(same);
  }
  outbox.run();
  if (!outbox.waiting) showSaving(0);
  readAhead();
}

function cannotOpen(number, why) {
  setLoading(false);
  byId("saving").classList.add("failed");
  byId("saving").textContent = `Pair ${number} cannot be read (${why}).` + (pair ? ` This is still pair ${pair.number}.` : "");
  if (!pair) setTimeout(() => open(number), 2000);
}

// While another pair is being loaded, the grid ignores clicks and keys.
function setLoading(now) {
  loading = now;
  byId("grid").setAttribute("aria-busy", now);
}

// Prefetch the previous and the next pair.
function readAhead() {
  const near = [pair.number + 1, pair.number - 1].filter((number) => number >= 1 && number <= count);
  for (const number of ahead.keys()) if (!near.includes(number)) ahead.delete(number);
  for (const number of near) {
    if (ahead.has(number)) continue;
    const entry = { read: null };
    ahead.set(number, entry); // a change saved meanwhile deletes it again
    get(`pairs/${number}`).then((read) => { entry.read = read; }, () => ahead.delete(number));
  }
}

// Whether the server's data of the pair equals what the page shows.
function isShown(read) {
  return read.version === state.version && read.done === state.done && read.links === formatCells(state.cells());
}

// Leave the pair: report the time that no change has reported yet.
function goTo(number) {
  if (loading || !pair || number < 1 || number > count || number === pair.number) return;
  reportTime();
  open(number);
}

function reportTime() {
  if (!pair) return;
  const seconds = takeSeconds();
  if (seconds >= 1) {
    const change = { project, token: newToken(), kind: "time", cells: "", seconds };
    state.apply(change);
    outbox.add(pair.number, change);
  }
}

function finish() {
  if (!pair || loading) return;
  if (!state.done) record({ kind: "done" });
  if (pair.number < count) goTo(pair.number + 1);
  else tell("This is the last pair.");
}

function nextOpen() {
  if (!pair) return;
  for (let step = 1; step < count; step++) {
    const number = ((pair.number - 1 + step) % count) + 1;
    if (!finished.has(number)) {
      goTo(number);
      return;
    }
  }
  tell("All other pairs are finished.");
}

// Display

const grid = new Grid(byId("grid"), {
  maxCells: Number(maxCells),
  mode: () => document.querySelector("input[name=mode]:checked").value,
  dragsOnTouch: () => byId("blocks").checked,
  change(cells) {
    record({ kind: "set", cells: formatCells(cells) });
    const [i, j, mark] = cells[0];
    say(cells.length === 1 ? `${pair.source[i]}, ${pair.target[j]}: ${nameOf(mark)}` : `${cells.length} cells: ${nameOf(mark)}`);
  },
  point: showReading,
  refuse: tell,
});

function showPair(same) {
  history.replaceState(null, "", `?pair=${pair.number}`);
  document.title = `Pair ${pair.number} of ${count} · paragauge`;
  byId("number").textContent = pair.number;
  byId("group").textContent = pair.group === null ? "" : ` · group ${pair.group}`;
  for (const side of ["source", "target"]) showSentence(byId(side), pair[side]);
  const typing = document.activeElement?.matches("input[type=number]");
  grid.show(pair.source, pair.target, state, same ? grid.active : null);
  if (grid.empty) showNothing();
  if (!typing) grid.focus();
  showState();
}

function showSentence(place, words) {
  const parts = words.flatMap((word, at) => {
    const span = document.createElement("bdi");
    span.textContent = word;
    return at ? [" ", span] : [span];
  });
  place.replaceChildren(...parts);
}

function showNothing() {
  for (const id of ["source-word", "target-word"]) byId(id).textContent = "";
  byId("relation").textContent = "One of the sentences has no words: there is nothing to link.";
}

function showReading(i, j) {
  byId("source-word").textContent = pair.source[i];
  byId("target-word").textContent = pair.target[j];
  byId("relation").textContent = { "-": "■", p: "□", x: "·" }[state.mark(i, j)];
  for (const [side, at] of [["source", i], ["target", j]]) {
    const place = byId(side);
    place.querySelector(".here")?.classList.remove("here");
    const word = place.children[at];
    word.classList.add("here");
    place.scrollTop = word.offsetTop - place.offsetTop - place.clientHeight / 2;
  }
}

function showState() {
  byId("undo").disabled = !state.undo.length;
  byId("redo").disabled = !state.redo.length;
  byId("done").checked = state.done;
  byId("previous").disabled = pair.number === 1;
  byId("next").disabled = pair.number === count;
  grid.state = state;
  grid.draw();
  if (grid.here && !grid.empty) showReading(...grid.here);
  showClock();
  showProgress();
}

function step(kind) {
  if (!state?.[kind].length) return;
  record({ kind, base: state.version });
  say(kind === "undo" ? "Undone." : "Redone.");
}

// Replace all links by *cells*, as one step.
function replaceLinks(cells) {
  const wanted = new Map(cells.map((cell) => [`${cell[0]} ${cell[1]}`, cell]));
  const gone = state.cells().filter(([i, j]) => !wanted.has(`${i} ${j}`)).map(([i, j]) => [i, j, NONE]);
  const change = [...gone, ...cells.filter(([i, j, mark]) => state.mark(i, j) !== mark)];
  if (change.length > Number(maxCells)) tell(`This would change more than ${maxCells} links; nothing was changed.`);
  else if (change.length) record({ kind: "set", cells: formatCells(change) });
}

// Input

const keys = {
  n: () => goTo(pair.number + 1),
  p: () => goTo(pair.number - 1),
  o: nextOpen,
  u: () => step("undo"),
  r: () => step("redo"),
  f: () => record({ kind: state.done ? "open" : "done" }),
  Enter: finish,
};

document.addEventListener("keydown", (event) => {
  if (!pair || event.altKey || event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z") step(event.shiftKey ? "redo" : "undo");
    else if (key === "y") step("redo");
    else return;
  } else if (Object.hasOwn(keys, event.key) && !(event.key === "Enter" && event.target.closest("button, a, summary, input"))) {
    keys[event.key]();
  } else {
    return;
  }
  event.preventDefault();
});

const clicks = {
  previous: () => goTo(pair.number - 1),
  next: () => goTo(pair.number + 1),
  finish,
  "next-open": nextOpen,
  undo: () => step("undo"),
  redo: () => step("redo"),
  restart: () => replaceLinks(parseCells(pair.start)),
  clear: () => replaceLinks([]),
};
for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", () => pair && act());
byId("retry").addEventListener("click", () => outbox.wake());
byId("done").addEventListener("change", (event) => pair && record({ kind: event.target.checked ? "done" : "open" }));
byId("blocks").addEventListener("change", (event) => byId("grid").classList.toggle("dragging", event.target.checked));
byId("go").addEventListener("submit", (event) => {
  event.preventDefault();
  goTo(Number(byId("go-number").value));
  byId("go-number").value = "";
  byId("go-number").blur();
});
for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) {
  document.addEventListener(kind, touch, { capture: true, passive: true });
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    touch();
    reportTime();
  } else {
    clock.last = performance.now();
    ahead.clear();
    if (pair && !outbox.waiting && !loading) open(pair.number); // another window may have changed it
  }
});
window.addEventListener("pagehide", reportTime);
window.addEventListener("beforeunload", (event) => {
  if (outbox.waiting) event.preventDefault(); // the browser asks whether to leave
});
setInterval(showClock, 1000);

// Start with the pair in the address, or with the first that is not finished.
outbox.run();
await readProgress();
const asked = Number(new URLSearchParams(location.search).get("pair"));
let first = 1;
while (first < count && finished.has(first)) first += 1;
await open(Number.isInteger(asked) && asked >= 1 ? asked : first);
