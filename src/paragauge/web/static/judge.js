// The page of judges: one sentence at a time, every rating saved immediately.

import { Outbox, newToken } from "./annotate_outbox.js";

const IDLE = 60000; // ms without input after which the judge counts as idle

const byId = (id) => document.getElementById(id);
const { api, project, judge, items } = byId("judge").dataset;
const count = Number(items);

let current = 0;
let finished = new Set();
let since = performance.now();

function takeSeconds() {
  const now = performance.now();
  const seconds = Math.round(Math.min(now - since, IDLE) / 100) / 10;
  since = now;
  return seconds;
}

const outbox = new Outbox({
  prefix: `paragauge.judge.${project}.${judge}.`,
  address: (number) => `${api}/items/${number}/ratings`,
  status(waiting, reason, seconds) {
    const place = byId("saving");
    place.classList.toggle("failed", Boolean(reason));
    if (reason) place.textContent = `Not saved: ${reason}. Trying again in ${seconds} s; nothing is lost.`;
    else place.textContent = waiting ? "Saving …" : "All ratings are saved.";
  },
  saved(_, answer) {
    showFinished(answer.finished);
  },
  refused({ number }, why) {
    show(number).then(() => { byId("saving").textContent = `Sentence ${number}: ${why}.`; });
  },
});

function showFinished(numbers) {
  finished = new Set(numbers);
  byId("bar").value = finished.size;
  byId("finished").textContent = `${finished.size} of ${count} finished`;
  byId("next-open").disabled = finished.size === count;
}

async function get(path) {
  const answer = await fetch(`${api}/${path}`).catch(() => { throw new Error("the server does not respond"); });
  if (!answer.ok) throw new Error((await answer.json()).detail);
  return answer.json();
}

function scales(text, row) {
  const parts = byId("scale").content.cloneNode(true);
  for (const field of parts.querySelectorAll("fieldset")) {
    const { criterion } = field.dataset;
    const mark = (score) => field.classList.toggle("judged", score !== null);
    mark(text.scores[criterion]);
    field.querySelector("legend").id = `legend-${text.place}-${criterion}`;
    field.setAttribute("aria-labelledby", `text-${text.place} legend-${text.place}-${criterion}`);
    for (const input of field.querySelectorAll("input")) {
      input.name = `${criterion}-${text.place}`;
      input.checked = Number(input.value) === text.scores[criterion];
      input.addEventListener("change", () => {
        mark(Number(input.value));
        outbox.add(row, {
          project, place: text.place, criterion, score: Number(input.value), token: newToken(), seconds: takeSeconds(),
        });
      });
    }
  }
  return parts;
}

async function show(number) {
  current = number;
  let item;
  try {
    item = await get(`items/${number}`);
  } catch (error) {
    byId("saving").textContent = `${error.message}; reload the page`;
    return;
  }
  if (current !== number) return; // another one was asked for in the meantime
  // Ratings on their way count already.
  for (const { place, criterion, score } of outbox.pending(number)) {
    item.texts.find((text) => text.place === place).scores[criterion] = score;
  }
  since = performance.now();
  byId("number").textContent = number;
  byId("original").textContent = item.original;
  byId("texts").replaceChildren(...item.texts.map((text) => {
    const line = document.createElement("p");
    line.id = `text-${text.place}`;
    line.dir = "auto";
    line.textContent = text.text || "(empty)";
    const entry = document.createElement("li");
    entry.append(line, scales(text, number));
    return entry;
  }));
  byId("previous").disabled = number === 1;
  byId("next").disabled = number === count;
  history.replaceState(null, "", `#${number}`);
}

function nextUnfinished(from) {
  for (let step = 1; step <= count; step += 1) {
    const number = (from + step - 1) % count + 1;
    if (!finished.has(number)) return number;
  }
  return from;
}

const go = (number) => show(number).then(() => byId("main").focus());
byId("previous").addEventListener("click", () => go(current - 1));
byId("next").addEventListener("click", () => go(current + 1));
byId("next-open").addEventListener("click", () => go(nextUnfinished(current)));
window.addEventListener("beforeunload", (event) => { if (outbox.waiting) event.preventDefault(); });

try {
  showFinished((await get("progress")).finished);
} catch (error) {
  byId("saving").textContent = `${error.message}; reload the page`;
}
const asked = Number(location.hash.slice(1));
await show(Number.isInteger(asked) && asked >= 1 && asked <= count ? asked : nextUnfinished(count));
outbox.run(); // what a closed page could not send
if (!outbox.waiting) byId("saving").textContent = "All ratings are saved.";
