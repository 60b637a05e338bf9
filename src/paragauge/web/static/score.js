// The page "Score and explain": texts and metrics, scores of systems, a list of sentences, and why one has its scores.
import { Problem, byId, get, post, runner } from "./web.js";
import { baseName, checkLines, linesOf, looksLikeTestSet, onDrop, readFile, readText } from "./files.js";
import { chosenMetrics, metricState, restoreMetrics, showMetrics } from "./metrics.js";
import { Results } from "./results.js";
import { forget, keep, kept, saveState, stateIn, stateInLink } from "./state.js";
import { sentence } from "./why.js";

const PAGE = "score";
const MOST_PASTED = 20000; // characters that the browser may paste by itself
const kinds = {
  references: { one: "Reference", boxes: document.querySelector("#form-references .boxes") },
  candidates: { one: "System", boxes: document.querySelector("#form-candidates .boxes") },
};

// Texts

function addBox(kind, name, text = "") {
  const box = byId("box").content.firstElementChild.cloneNode(true);
  const { one, boxes } = kinds[kind];
  box.querySelector(".name").value = name;
  box.querySelector(".name-of").textContent = `Name of the ${one.toLowerCase()}`;
  box.querySelector(".texts-of").textContent = `Texts of the ${one.toLowerCase()}, one per line`;
  box.querySelector("textarea").value = text;
  box.querySelector(".remove").addEventListener("click", () => {
    box.remove();
    if (!boxes.children.length) addBox(kind, freeName(kind));
    boxes.querySelector(".name").focus();
    changed();
  });
  boxes.append(box);
  return box;
}

function freeName(kind) {
  const taken = [...kinds[kind].boxes.querySelectorAll(".name")].map((input) => input.value);
  const named = (number) => (kind === "references" ? String(number) : `system ${number}`);
  for (let number = 1; ; number += 1) if (!taken.includes(named(number))) return named(number);
}

function boxesOf(kind) {
  const found = {};
  for (const box of kinds[kind].boxes.children) {
    const name = box.querySelector(".name").value.trim(), text = box.querySelector("textarea").value;
    if (!text.trim()) continue;
    if (!name) throw new Problem(`a ${kinds[kind].one.toLowerCase()} has no name`);
    if (name in found) throw new Problem(`two ${kind} are named ${name}; names must differ`);
    found[name] = linesOf(text);
  }
  return found;
}

let ids = null; // names of the segments, if a test set has any

function texts() {
  const originals = byId("originals").value;
  const found = { originals: originals.trim() ? linesOf(originals) : null, references: boxesOf("references"), candidates: boxesOf("candidates") };
  const systems = Object.entries(found.candidates);
  if (!systems.length) throw new Problem("there are no candidates; paste some, or try the example");
  checkLines([...systems, ...(found.originals ? [["the originals", found.originals]] : []),
    ...Object.entries(found.references).map(([name, lines]) => [`reference ${name}`, lines])]);
  return { ...found, ids: ids?.length === systems[0][1].length ? ids : null };
}

function fill({ originals, references, candidates, ids: names }) {
  byId("originals").value = (originals ?? []).join("\n");
  ids = names ?? null;
  for (const [kind, found] of Object.entries({ references, candidates })) {
    kinds[kind].boxes.replaceChildren();
    for (const [name, lines] of Object.entries(found)) addBox(kind, name, lines.join("\n"));
    if (!Object.keys(found).length) addBox(kind, freeName(kind));
  }
  showNeeds();
}

// Replace line ends inside segments: a box has one segment per line.
function flat(testset) {
  const clean = (lines) => lines?.map((line) => line.replace(/\s*[\r\n]+\s*/g, " ")) ?? null;
  const each = (columns) => Object.fromEntries(Object.entries(columns).map(([name, lines]) => [name, clean(lines)]));
  return { ...testset, originals: clean(testset.originals), references: each(testset.references), candidates: each(testset.candidates) };
}

const showNeeds = () => showMetrics({
  originals: byId("originals").value.trim() !== "",
  references: [...kinds.references.boxes.querySelectorAll("textarea")].some((area) => area.value.trim()),
});

// Files

async function takeFiles(files, area) {
  for (const file of files) {
    const text = await readText(file), state = stateIn(file.name, text);
    if (state) {
      await restore(state);
      continue;
    }
    if (area && files.length === 1 && !looksLikeTestSet(file.name)) {
      area.value = text;
      continue;
    }
    try {
      fill(flat(await post("/api/read", { file: { name: file.name.slice(0, 200), text } })));
    } catch (error) {
      if (looksLikeTestSet(file.name) || !(error instanceof Problem)) throw error;
      const empty = [...kinds.candidates.boxes.children].find((box) => !box.querySelector("textarea").value.trim());
      const box = empty ?? addBox("candidates", "");
      box.querySelector(".name").value = baseName(file.name);
      box.querySelector("textarea").value = text;
    }
  }
  showNeeds();
  changed();
}

const areaAt = (target) => target.closest?.(".box, #form-originals")?.querySelector("textarea");
onDrop("fieldset.texts", (files, target) => attempt(takeFiles(files, areaAt(target))));

// Scoring

const job = runner(async ({ signal, progress }) => {
  const request = { texts: texts(), metrics: chosenMetrics(), segments: true, bootstrap: Number(byId("bootstrap").value), seed: Number(byId("seed").value) };
  if (!request.metrics.length) throw new Problem("no metric is chosen; open Metrics and choose some");
  const answer = await post("/api/score", request, { signal, progress });
  results.show(request.texts, answer, request.metrics);
  changed();
  const systems = Object.keys(request.texts.candidates).length;
  return `scored ${results.latest.rows.length.toLocaleString("en")} sentences of ${systems} ${systems === 1 ? "system" : "systems"}`;
});

const attempt = async (promise) => {
  try {
    job.say(null);
    await promise;
  } catch (error) {
    job.say(error);
  }
};

const DERIVATION = "derivation";

async function derive(given, row) {
  const file = byId("grammar").files[0], { original, references, candidate } = sentence(given, row);
  const source = original ?? references[0];
  if (source === undefined) throw new Problem("a derivation needs an original or a reference");
  const found = await post("/api/derive", { source, target: candidate, grammar: file ? await readFile(file) : null, html: true });
  return { ...found, html: `<section class="explanation"><h2>Derivation by the grammar</h2>${found.html}</section>` };
}

const results = new Results({
  changed: () => changed(),
  pageState: () => ({ ...settings(), texts: results.latest.texts }),
  moreTabs: () => (byId("grammar").files[0] || byId("form").dataset.grammar ? [DERIVATION] : []),
  explainMore: derive,
});

// State

const settings = () => ({ ...metricState(), bootstrap: byId("bootstrap").value, seed: byId("seed").value });
const stateNow = () => ({ ...settings(), texts: { ...texts(), ids }, view: results.view, scored: results.latest !== null });

function changed() {
  let state;
  try {
    state = stateNow();
  } catch {
    return; // there are no candidates yet, or somebody is in the middle of typing them
  }
  const told = keep(PAGE, state);
  if (told) byId("status").textContent = told;
}

async function restore(state) {
  if (!state.texts?.candidates) throw new Problem("the file has no texts; was it saved by another page of the workbench?");
  fill(state.texts);
  restoreMetrics(state);
  showNeeds();
  byId("bootstrap").value = state.bootstrap ?? byId("bootstrap").value;
  byId("seed").value = state.seed ?? byId("seed").value;
  if (state.scored === false) return;
  await job.run();
  if (results.latest && state.view) results.restoreView(state.view);
}

async function begin() {
  const state = (await stateInLink()) ?? kept(PAGE);
  if (state) await restore(state);
}

// The page

const buttons = {
  "add-reference": () => addBox("references", freeName("references")).querySelector("textarea").focus(),
  "add-candidate": () => addBox("candidates", freeName("candidates")).querySelector("textarea").focus(),
  example: () => attempt(get("/api/example").then((testset) => {
    fill(testset);
    changed();
  })),
  clear: () => {
    fill({ originals: [], references: {}, candidates: {} });
    forget(PAGE);
  },
  save: () => attempt((async () => saveState(PAGE, stateNow()))()),
};
for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);
byId("files").addEventListener("change", ({ target }) => attempt(takeFiles([...target.files]).finally(() => (target.value = ""))));
// Browsers take minutes to paste thousands of lines into a box, but no time to set its text.
byId("form").addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain");
  if (!event.target.matches("textarea") || text.length < MOST_PASTED) return;
  event.preventDefault();
  event.target.setRangeText(text, event.target.selectionStart, event.target.selectionEnd, "end");
  event.target.dispatchEvent(new Event("input", { bubbles: true }));
});
byId("form").addEventListener("input", () => {
  showNeeds();
  changed();
});
addBox("references", "1");
addBox("candidates", "system 1");
showNeeds();
attempt(begin());
