// The page "Score and explain".
import { Problem, baseName, byId, chooseMetrics, chosenMetrics, copy, get, make, post, readText, runner, shown, table } from "./web.js";

const PAGE = 50; // sentences shown at once, and with each "Show more"
const MOST_IN_LINK = 30000; // characters; browsers accept more, mail programs do not

const kinds = {
  references: { one: "Reference", boxes: document.querySelector("#form-references .boxes") },
  candidates: { one: "System", boxes: document.querySelector("#form-candidates .boxes") },
};
const dialog = byId("explanation");
let latest = null; // { texts, metrics, answer }
let explained = null; // { place, explanations }
let view = { system: "", sort: null, down: false, count: PAGE };

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
  });
  boxes.append(box);
  return box;
}

function freeName(kind) {
  const taken = [...kinds[kind].boxes.querySelectorAll(".name")].map((input) => input.value);
  const named = (number) => (kind === "references" ? String(number) : `system ${number}`);
  for (let number = 1; ; number += 1) if (!taken.includes(named(number))) return named(number);
}

const linesOf = (text) => text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");

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
  if (!Object.keys(found.candidates).length) throw new Problem("there are no candidates; paste some, or try the example");
  const size = Object.values(found.candidates)[0].length;
  return { ...found, ids: ids?.length === size ? ids : null };
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

// Metrics whose inputs are missing are grey; choosing one still reports what is missing.
function showNeeds() {
  const has = { originals: byId("originals").value.trim() !== "",
    references: [...kinds.references.boxes.querySelectorAll("textarea")].some((area) => area.value.trim()) };
  for (const box of document.querySelectorAll("input[name=metric]")) {
    const needs = box.dataset.needs.split(" ").filter((need) => need in has);
    box.parentElement.classList.toggle("lacking", needs.some((need) => !has[need]));
  }
}

// Files

async function takeFiles(files, area) {
  for (const file of files) {
    const text = await readText(file);
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
      box.querySelector(".name").value = baseName(file.name).slice(0, 200);
      box.querySelector("textarea").value = text;
    }
  }
  showNeeds();
}

const looksLikeTestSet = (name) => /\.(tsv|csv|jsonl|sgml?|xml)(\.gz)?$/i.test(name);
const areaAt = (target) => target.closest?.(".box, #form-originals")?.querySelector("textarea");

function dropping(event) {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const fieldset = event.target.closest?.("fieldset.texts");
  for (const each of document.querySelectorAll(".dropping")) each.classList.remove("dropping");
  if (event.type === "dragover") (fieldset ?? document.body).classList.add("dropping");
  if (event.type === "drop") attempt(takeFiles([...event.dataTransfer.files], areaAt(event.target)));
}
for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, dropping);

// Scoring

const job = runner(async ({ signal, progress }) => {
  const request = { texts: texts(), metrics: chosenMetrics(), segments: true, bootstrap: Number(byId("bootstrap").value), seed: Number(byId("seed").value) };
  if (!request.metrics.length) throw new Problem("no metric is chosen");
  const answer = await post("/api/score", request, { signal, progress });
  latest = { texts: request.texts, metrics: request.metrics, answer };
  showResults();
  const systems = Object.keys(request.texts.candidates).length;
  const done = `scored ${answer.segments.length / request.metrics.length} sentences of ${systems} ${systems === 1 ? "system" : "systems"}`;
  return [done, ...answer.warnings].join(". ");
});

const attempt = async (promise) => {
  try {
    job.say(null);
    await promise;
  } catch (error) {
    job.say(error);
  }
};

function showResults() {
  const { answer, metrics, texts: given } = latest;
  byId("systems").replaceChildren(...metrics.flatMap((metric) => metricTable(answer.systems.filter((row) => row.metric === metric), metric)));
  byId("system").replaceChildren(make("option", { value: "" }, "all"), ...Object.keys(given.candidates).map((name) => make("option", { value: name }, name)));
  view = { system: "", sort: null, down: false, count: PAGE };
  byId("copied").textContent = "";
  showSentences();
  byId("results").classList.remove("hidden");
  byId("results-title").focus();
}

// The tables of metrics: a header, one row for each system, its components after the score.
function metricTable(rows, metric) {
  const components = [...new Set(rows.flatMap((row) => Object.keys(row.components)))];
  const intervals = rows.some((row) => row.interval);
  const columns = ["system", "score", ...(intervals ? ["low", "high"] : []), ...components];
  const cells = rows.map((row) => [row.system, row.score,
    ...(intervals ? [row.interval?.low ?? null, row.interval?.high ?? null] : []), ...components.map((name) => row.components[name] ?? null)]);
  const signatures = [...new Set(rows.map((row) => row.signature))];
  return [make("h3", {}, metric), table(columns, cells, `Scores by ${metric}`), ...signatures.map((text) => make("code", { class: "signature" }, text))];
}

// One row per candidate with all its scores.
function sentenceRows() {
  const { answer, texts: given, metrics } = latest;
  const rows = new Map();
  const names = given.ids ?? Object.values(given.candidates)[0].map((_, place) => String(place + 1));
  const places = new Map(names.map((name, place) => [name, place]));
  for (const { system, segment, metric, score } of answer.segments) {
    if (view.system && view.system !== system) continue;
    const key = JSON.stringify([system, segment]);
    if (!rows.has(key)) rows.set(key, { system, segment, place: places.get(segment), scores: {} });
    rows.get(key).scores[metric] = score;
  }
  const found = [...rows.values()];
  const value = (row) => (view.sort === "segment" ? row.place : view.sort === "system" ? row.system : row.scores[view.sort]);
  found.sort((one, other) => {
    if (view.sort === null) return one.place - other.place;
    const [a, b] = [value(one), value(other)];
    if (a === null || b === null) return (a === null) - (b === null); // undefined values stay last
    const order = typeof a === "string" ? a.localeCompare(b) : a - b;
    return (view.down ? -order : order) || one.place - other.place;
  });
  return { rows: found, metrics };
}

function showSentences() {
  const { rows, metrics } = sentenceRows();
  const several = Object.keys(latest.texts.candidates).length > 1 && !view.system;
  const keys = ["segment", ...(several ? ["system"] : []), null, ...metrics];
  const head = byId("sentences").tHead, body = byId("sentences").tBodies[0];
  head.replaceChildren(make("tr", {}, ...keys.map((key) => {
    if (key === null) return make("th", { scope: "col" }, "sentence");
    const sorted = view.sort === key && (view.down ? "descending" : "ascending");
    return make("th", { scope: "col", "aria-sort": sorted }, make("button", { type: "button", "data-sort": key, onclick: () => sortBy(key) }, key));
  })));
  body.replaceChildren(...rows.slice(0, view.count).map((row) => make("tr", {}, ...keys.map((key) => {
    if (key === null) return make("td", { class: "text" }, sentenceButton(row));
    if (key === "segment" || key === "system") return make("td", {}, row[key]);
    return make("td", { class: "number" }, shown(row.scores[key]));
  }))));
  byId("more").classList.toggle("hidden", rows.length <= view.count);
  byId("more").textContent = `Show more (${(rows.length - view.count).toLocaleString("en")})`;
}

function sortBy(key) {
  view = { ...view, down: view.sort === key && !view.down, sort: key };
  showSentences();
  [...byId("sentences").tHead.querySelectorAll("button")].find((button) => button.dataset.sort === key)?.focus();
}

function sentenceButton(row) {
  const text = latest.texts.candidates[row.system][row.place];
  return make("button", { type: "button", class: "sentence", dir: "auto", "aria-haspopup": "dialog", onclick: () => explain(row) }, text || "(empty)");
}

// Explaining

async function explain({ system, segment, place }) {
  const given = latest.texts;
  const request = {
    candidate: given.candidates[system][place],
    original: given.originals?.[place] ?? null,
    references: Object.values(given.references).map((lines) => lines[place]).filter((text) => text.trim()),
    html: true,
  };
  explained = { place: { system, place }, explanations: [] };
  const own = explained;
  byId("explanation-title").textContent = `Why: ${system}, segment ${segment}`;
  byId("explanation-copied").textContent = "";
  const content = byId("explanation-content");
  const parts = latest.metrics.map((metric) => [metric, make("section", { class: "waiting" }, `${metric} …`)]);
  content.replaceChildren(...parts.map(([, section]) => section));
  dialog.showModal();
  byId("explanation-title").focus();
  const derivation = await derive(request, content);
  for (const [metric, section] of parts) {
    let made;
    try {
      const [found] = (await post("/api/explain", { ...request, metrics: [metric] })).explanations;
      if (own !== explained) return;
      const { html, ...data } = found;
      explained.explanations.push(data);
      made = piece(html);
    } catch (error) {
      made = make("section", {}, make("h2", {}, metric), make("p", { class: "error" }, error.message));
    }
    section.replaceWith(made);
  }
  await derivation?.();
}

// The server has escaped every text in it.
function piece(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

async function derive({ original, references, candidate }, content) {
  const file = byId("grammar").files[0];
  const source = original ?? references[0];
  if (source === undefined || !(file || byId("form").dataset.grammar)) return null;
  const section = make("section", { class: "waiting" }, "derivation …");
  content.append(section);
  return async () => {
    let made;
    try {
      const grammar = file ? { name: file.name.slice(0, 200), text: await readText(file) } : null;
      const found = await post("/api/derive", { source, target: candidate, grammar, html: true });
      made = piece(found.html);
    } catch (error) {
      made = make("p", { class: "error" }, error.message);
    }
    section.replaceWith(make("section", { class: "explanation" }, make("h2", {}, "Derivation by the grammar"), made));
  };
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

// Links: everything is in the fragment, which browsers do not send to any server.

async function packed(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

async function copyLink(status, explain) {
  const state = { texts: latest.texts, metrics: latest.metrics, bootstrap: byId("bootstrap").value, seed: byId("seed").value, explain };
  const link = `${location.origin}/#${await packed(state)}`;
  if (link.length > MOST_IN_LINK) status.textContent = "too long for a link; use Copy as JSON";
  else await copy(link, status, "link copied");
}

async function openLink() {
  if (location.hash.length < 2) return;
  let state;
  try {
    state = await unpacked(location.hash.slice(1));
    fill(state.texts);
    chooseMetrics(state.metrics);
    byId("bootstrap").value = state.bootstrap;
    byId("seed").value = state.seed;
  } catch {
    throw new Problem("the link is damaged; copy it again");
  }
  await job.run();
  if (state.explain && latest) {
    const { system, place } = state.explain;
    await explain({ system, place, segment: latest.texts.ids?.[place] ?? String(place + 1) });
  }
}

// The page

const buttons = {
  "add-reference": () => addBox("references", freeName("references")).querySelector("textarea").focus(),
  "add-candidate": () => addBox("candidates", freeName("candidates")).querySelector("textarea").focus(),
  example: () => attempt(get("/api/example").then((testset) => {
    fill(testset);
    if (!chosenMetrics().length) chooseMetrics(["bleu", "pem"]);
  })),
  clear: () => fill({ originals: [], references: {}, candidates: {} }),
  "copy-json": () => copy(JSON.stringify(latest.answer, null, 1), byId("copied"), "copied"),
  "copy-link": () => copyLink(byId("copied")),
  "explanation-json": () => copy(JSON.stringify(explained.explanations, null, 1), byId("explanation-copied"), "copied"),
  "explanation-link": () => copyLink(byId("explanation-copied"), explained.place),
  close: () => dialog.close(),
  more: () => {
    view.count += PAGE;
    showSentences();
  },
};
for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);
byId("files").addEventListener("change", ({ target }) => attempt(takeFiles([...target.files]).finally(() => (target.value = ""))));
byId("system").addEventListener("change", (event) => {
  view = { ...view, system: event.target.value, count: PAGE };
  showSentences();
});
byId("form").addEventListener("input", showNeeds);
addBox("references", "1");
addBox("candidates", "system 1");
showNeeds();
attempt(openLink());
