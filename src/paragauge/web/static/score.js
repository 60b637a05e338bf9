// The page "Score and explain": texts and metrics, scores of systems, a list of sentences, and why one has its scores.
import { Problem, baseName, byId, chooseMetrics, chosenMetrics, copy, get, make, post, readText, runner, save, shown, table } from "./web.js";
import { differences } from "./differences.js";
import { LongList } from "./list.js";
import { bar, distribution, rangeOf } from "./plots.js";

const MOST_IN_LINK = 30000; // characters; browsers accept more, mail programs do not
const MOST_KEPT = 2_000_000; // characters kept over a reload
const KEPT = "paragauge-score";
const FILE_KIND = "paragauge workbench";

const kinds = {
  references: { one: "Reference", boxes: document.querySelector("#form-references .boxes") },
  candidates: { one: "System", boxes: document.querySelector("#form-candidates .boxes") },
};
let latest = null; // { texts, metrics, answer, rows, ranges }
let explained = null; // { row, metric, explanations: Map }
let view = { system: "", against: "", sort: "", find: "", open: null };

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

const counted = (count) => `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;
let ids = null; // names of the segments, if a test set has any

function texts() {
  const originals = byId("originals").value;
  const found = { originals: originals.trim() ? linesOf(originals) : null, references: boxesOf("references"), candidates: boxesOf("candidates") };
  if (!Object.keys(found.candidates).length) throw new Problem("there are no candidates; paste some, or try the example");
  const [[first, { length: size }]] = Object.entries(found.candidates);
  const sides = [["the originals", found.originals, "have"], ...["references", "candidates"].flatMap((kind) =>
    Object.entries(found[kind]).map(([name, lines]) => [kind === "references" ? `reference ${name}` : name, lines, "has"]))];
  for (const [name, lines, verb] of sides) {
    if (lines && lines.length !== size) {
      throw new Problem(`${name} ${verb} ${counted(lines.length)}, but ${first} has ${size}; every text needs one line for each sentence`);
    }
  }
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

// Metrics: sensible ones are chosen for the texts that are there until somebody chooses others.

let chosenByHand = false;

function present() {
  return { originals: byId("originals").value.trim() !== "",
    references: [...kinds.references.boxes.querySelectorAll("textarea")].some((area) => area.value.trim()) };
}

function suggested({ originals, references }) {
  if (originals && references) return ["pem+", "bleu", "chrf"];
  if (originals) return ["pem+", "pinc"];
  return references ? ["bleu", "chrf", "meteor"] : ["pem+"];
}

// Metrics whose inputs are missing are grey; choosing one still reports what is missing.
function showNeeds() {
  const has = present();
  if (!chosenByHand) chooseMetrics(suggested(has));
  for (const box of document.querySelectorAll("input[name=metric]")) {
    const needs = box.dataset.needs.split(" ").filter((need) => need in has);
    box.closest(".choice").classList.toggle("lacking", needs.some((need) => !has[need]));
  }
  showChosen();
}

function showChosen() {
  byId("chosen").textContent = chosenMetrics().join(", ") || "none chosen";
  const has = present(), found = Object.keys(has).filter((name) => has[name]).join(" and ");
  byId("chosen-why").textContent = chosenByHand ? "" : found ? `chosen for texts with ${found}; change` : "change";
}

const boxOf = (metric) => [...document.querySelectorAll("input[name=metric]")].find((box) => box.value === metric || box.value === metric.split("(")[0]);
const lowerIsBetter = (metric) => boxOf(metric)?.dataset.better === "lower";
const aboutMetric = (metric) => boxOf(metric)?.closest(".choice").querySelector(".what")?.firstChild.textContent.trim() ?? "";

// Files

async function takeFiles(files, area) {
  for (const file of files) {
    const text = await readText(file);
    if (/\.json$/i.test(file.name) && text.includes(FILE_KIND)) {
      await restore(JSON.parse(text));
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
  latest = { texts: request.texts, metrics: request.metrics, answer, ...arranged(request, answer) };
  closeWhy();
  showResults();
  keep(true);
  const systems = Object.keys(request.texts.candidates).length;
  const done = `scored ${(answer.segments.length / request.metrics.length).toLocaleString("en")} sentences of ${systems} ${systems === 1 ? "system" : "systems"}`;
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

// One row per candidate with all its scores, and the range of each metric.
function arranged({ texts: given, metrics }, answer) {
  const names = given.ids ?? Object.values(given.candidates)[0].map((_, place) => String(place + 1));
  const places = new Map(names.map((name, place) => [name, place]));
  const rows = new Map(), values = Object.fromEntries(metrics.map((metric) => [metric, []]));
  for (const { system, segment, metric, score } of answer.segments) {
    const key = `${places.get(segment)} ${system}`;
    if (!rows.has(key)) rows.set(key, { system, segment, place: places.get(segment), scores: {} });
    rows.get(key).scores[metric] = score;
    values[metric].push(score);
  }
  for (const { metric, score, interval } of answer.systems) values[metric].push(score, interval?.low ?? null, interval?.high ?? null);
  const ranges = Object.fromEntries(metrics.map((metric) => [metric, rangeOf(values[metric])]));
  return { rows: [...rows.values()].sort((one, other) => one.place - other.place), ranges };
}

const option = (value, text = value) => make("option", { value }, text);

function showResults() {
  const { metrics, texts: given } = latest;
  const systems = Object.keys(given.candidates);
  byId("systems").replaceChildren(scoreGrid());
  byId("components").replaceChildren(...metrics.flatMap((metric) => metricTable(latest.answer.systems.filter((row) => row.metric === metric), metric)));
  byId("system").replaceChildren(option("", "all"), ...systems.map((name) => option(name)));
  byId("against").replaceChildren(option("", "nothing"), ...systems.map((name) => option(name)));
  byId("against-label").classList.toggle("hidden", systems.length < 2);
  byId("list").style.setProperty("--metrics", metrics.length);
  byId("list-head").style.setProperty("--metrics", metrics.length);
  view = { system: "", against: "", sort: "", find: "", open: null };
  byId("find").value = "";
  byId("copied").textContent = "";
  showSorts();
  showSentences();
  byId("results").classList.remove("hidden");
  byId("results-title").focus();
}

// The grid: a row for each system, a column for each metric; score, interval, and how its sentences are spread.
function scoreGrid() {
  const { metrics, answer, rows, ranges, texts: given } = latest;
  const systems = Object.keys(given.candidates);
  const of = (system, metric) => answer.systems.find((row) => row.system === system && row.metric === metric);
  const head = make("tr", {}, make("th", { scope: "col" }, "System"), ...metrics.map((metric) => make("th", { scope: "col" },
    `${metric} ${lowerIsBetter(metric) ? "↓" : "↑"}`, make("span", { class: "about-metric" }, `${aboutMetric(metric)}${lowerIsBetter(metric) ? "; lower is better" : ""}`))));
  const best = Object.fromEntries(metrics.map((metric) => {
    const scores = systems.map((system) => of(system, metric).score).filter((score) => score !== null);
    return [metric, systems.length > 1 && scores.length ? (lowerIsBetter(metric) ? Math.min(...scores) : Math.max(...scores)) : NaN];
  }));
  const body = systems.map((system) => make("tr", {}, make("th", { scope: "row", dir: "auto" }, system), ...metrics.map((metric) => {
    const { score, interval } = of(system, metric);
    const spread = rows.filter((row) => row.system === system).map((row) => row.scores[metric]);
    const range = interval && interval.low !== null ? make("span", { class: "range" }, `${shown(interval.low)} to ${shown(interval.high)}`) : "";
    const name = `${metric} of ${system}: distribution of the scores of ${spread.length} sentences`;
    return make("td", { class: "cell", "data-metric": metric }, make("span", {}, make("span", { class: score === best[metric] ? "number best" : "number" }, shown(score)), range),
      distribution(spread, score, interval, ranges[metric], name));
  })));
  return make("div", { class: "scroll", role: "region", "aria-label": "Scores of systems", tabindex: "0" },
    make("table", { class: "scores" }, make("thead", {}, head), make("tbody", {}, ...body)));
}

// Tables for those who want every number: a row for each system, its components after the score.
function metricTable(rows, metric) {
  const components = [...new Set(rows.flatMap((row) => Object.keys(row.components)))];
  const intervals = rows.some((row) => row.interval);
  const columns = ["system", "score", ...(intervals ? ["low", "high"] : []), ...components];
  const cells = rows.map((row) => [row.system, row.score,
    ...(intervals ? [row.interval?.low ?? null, row.interval?.high ?? null] : []), ...components.map((name) => row.components[name] ?? null)]);
  const signatures = [...new Set(rows.map((row) => row.signature))];
  return [make("h3", {}, metric), table(columns, cells, `Scores by ${metric}`), ...signatures.map((text) => make("code", { class: "signature" }, text))];
}

// Sentences

// What a sort compares; differences from another system are positive where this one is better.
const gain = (row, metric) => {
  const base = latest.bases?.get(`${row.place} ${view.against}`)?.scores[metric];
  const own = row.scores[metric];
  if (base === null || base === undefined || own === null) return null;
  return lowerIsBetter(metric) ? base - own : own - base;
};

function showSorts() {
  const choices = [option("", "order of the texts")];
  for (const metric of latest.metrics) {
    if (view.against) choices.push(option(`lost ${metric}`, `${metric}: what got worse`), option(`gained ${metric}`, `${metric}: what got better`));
    else choices.push(option(`worst ${metric}`, `${metric}: worst first`), option(`best ${metric}`, `${metric}: best first`));
  }
  byId("sort").replaceChildren(...choices);
  byId("sort").value = view.sort;
}

function visibleRows() {
  const wanted = view.find.trim().toLowerCase();
  const given = latest.texts;
  const has = (text) => text !== undefined && text.toLowerCase().includes(wanted);
  const found = latest.rows.filter((row) => (!view.system || row.system === view.system) && row.system !== view.against
    && (!wanted || has(given.candidates[row.system][row.place]) || has(given.originals?.[row.place])));
  const [how, ...rest] = view.sort.split(" "), metric = rest.join(" ");
  if (!metric) return found;
  const value = (row) => {
    if (how === "lost" || how === "gained") return gain(row, metric);
    const score = row.scores[metric];
    return score === null ? null : lowerIsBetter(metric) ? -score : score;
  };
  const down = how === "best" || how === "gained" ? -1 : 1;
  return found.map((row) => [row, value(row)]).sort(([one, a], [other, b]) => {
    if (a === null || b === null) return (a === null) - (b === null) || one.place - other.place; // undefined values stay last
    return down * (a - b) || one.place - other.place;
  }).map(([row]) => row);
}

function showSentences() {
  latest.bases = view.against ? new Map(latest.rows.filter((row) => row.system === view.against).map((row) => [`${row.place} ${row.system}`, row])) : null;
  const rows = visibleRows();
  byId("list-head").replaceChildren(make("span", {}, "line"), make("span", {}, view.against ? `${view.against}, then the other system` : "text it is compared with, then the candidate"),
    ...latest.metrics.map((metric) => make("span", {}, metric)));
  byId("count").textContent = `${rows.length.toLocaleString("en")} of ${latest.rows.length.toLocaleString("en")}`;
  list.fill(rows);
  keep(true);
}

const marked = (runs) => runs.map(([text, differs]) => (differs ? make("i", {}, text) : text));

// The text that a candidate is shown beside: the compared system's, its original, or its first reference.
function beside({ place }) {
  const given = latest.texts;
  if (view.against) return given.candidates[view.against][place];
  return given.originals?.[place] ?? Object.values(given.references)[0]?.[place] ?? "";
}

function lineOf(row) {
  const [before, after] = differences(beside(row), latest.texts.candidates[row.system][row.place] || "(empty)");
  const cells = latest.metrics.map((metric) => {
    const change = view.against ? gain(row, metric) : null;
    const told = change === null ? "" : make("small", { class: change < 0 ? "worse" : change > 0 ? "better" : "" }, `${change < 0 ? "▼" : change > 0 ? "▲" : ""} ${shown(Math.abs(change))}`);
    return make("span", { class: "value-of-row", title: metric }, shown(row.scores[metric]) || "–", told || bar(row.scores[metric], latest.ranges[metric]));
  });
  return make("div", { class: "line" },
    make("span", { class: "who" }, make("b", {}, row.segment), Object.keys(latest.texts.candidates).length > 1 ? row.system : ""),
    make("span", { class: "texts-of-row" }, make("span", { class: "before", dir: "auto" }, ...marked(before)), make("span", { class: "after", dir: "auto" }, ...marked(after))),
    ...cells);
}

const list = new LongList(byId("list"), byId("sheet"), {
  line: lineOf,
  chosen: (row, how) => {
    if (how === "open" || !byId("why").classList.contains("hidden")) why(row);
  },
});

function changeView(change) {
  view = { ...view, ...change };
  closeWhy();
  showSentences();
}
byId("system").addEventListener("change", ({ target }) => changeView({ system: target.value }));
byId("against").addEventListener("change", ({ target }) => {
  view.against = target.value;
  changeView({ system: view.system === target.value ? "" : view.system, sort: target.value ? `lost ${latest.metrics[0]}` : "" });
  byId("system").value = view.system;
  showSorts();
});
byId("sort").addEventListener("change", ({ target }) => changeView({ sort: target.value }));
byId("find").addEventListener("input", ({ target }) => changeView({ find: target.value }));

// Why

function requestOf({ system, place }) {
  const given = latest.texts;
  return {
    candidate: given.candidates[system][place],
    original: given.originals?.[place] ?? null,
    references: Object.values(given.references).map((lines) => lines[place]).filter((text) => text.trim()),
    html: true,
  };
}

function why(row, metric = explained?.metric ?? latest.metrics[0]) {
  explained = { row, metric: tabNames().includes(metric) ? metric : latest.metrics[0], explanations: new Map() };
  byId("why-title").textContent = `Why: ${row.system}, line ${row.segment}`;
  byId("why-copied").textContent = "";
  byId("why").classList.remove("hidden");
  document.querySelector(".split").classList.add("with-why");
  view.open = { system: row.system, place: row.place };
  showTabs();
  showTab();
  keep(true);
}

const DERIVATION = "derivation";

function tabNames() {
  const derivable = byId("grammar").files[0] || byId("form").dataset.grammar;
  return [...latest.metrics, ...(derivable ? [DERIVATION] : [])];
}

function showTabs() {
  byId("tabs").replaceChildren(...tabNames().map((name) => {
    const here = name === explained.metric;
    const score = explained.row.scores[name];
    return make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(here), "aria-controls": "why-content", tabindex: here ? "0" : "-1",
      onclick: () => chooseTab(name) }, name, " ", make("span", { class: "tab-value" }, score === undefined ? "" : shown(score)));
  }));
}

function chooseTab(name, focus = false) {
  explained.metric = name;
  showTabs();
  if (focus) byId(`tab-${name}`).focus();
  showTab();
}

async function showTab() {
  const own = explained, { metric, row } = own, content = byId("why-content");
  const current = () => own === explained && own.metric === metric;
  let made;
  try {
    if (!own.explanations.has(metric)) {
      const waiting = setTimeout(() => current() && content.replaceChildren(make("p", { class: "waiting" }, `${metric} …`)), 150);
      try {
        own.explanations.set(metric, metric === DERIVATION ? await derive(requestOf(row)) : (await post("/api/explain", { ...requestOf(row), metrics: [metric] })).explanations[0]);
      } finally {
        clearTimeout(waiting);
      }
    }
    made = piece(own.explanations.get(metric).html);
  } catch (error) {
    made = make("p", { class: "error" }, error.message);
  }
  if (!current()) return;
  content.replaceChildren(made);
  content.parentElement.scrollTop = 0;
}

function closeWhy() {
  if (byId("why").classList.contains("hidden")) return;
  byId("why").classList.add("hidden");
  document.querySelector(".split").classList.remove("with-why");
  view.open = null;
  explained = null;
  byId("list").focus({ preventScroll: true });
  keep(true);
}

byId("tabs").addEventListener("keydown", (event) => {
  const names = tabNames(), here = names.indexOf(explained.metric);
  const wanted = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: names.length - 1 }[event.key];
  if (wanted === undefined) return;
  event.preventDefault();
  chooseTab(names[(wanted + names.length) % names.length], true);
});
byId("why").addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, .scroll") || event.ctrlKey || event.altKey || event.metaKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || event.target.id === "why-content") return; // there, arrows scroll
  event.preventDefault();
  list.select(list.selected + step, "move");
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeWhy();
  else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    job.run();
  }
});

// The server has escaped every text in it.
function piece(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder.content;
}

async function derive({ original, references, candidate }) {
  const file = byId("grammar").files[0];
  const source = original ?? references[0];
  if (source === undefined) throw new Problem("a derivation needs an original or a reference");
  const grammar = file ? { name: file.name.slice(0, 200), text: await readText(file) } : null;
  const found = await post("/api/derive", { source, target: candidate, grammar, html: true });
  return { ...found, html: `<section class="explanation"><h2>Derivation by the grammar</h2>${found.html}</section>` };
}

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

// State: kept over a reload, saved as a file, or put into a link.

const stateNow = () => ({ kind: FILE_KIND, texts: latest?.texts ?? null, metrics: chosenMetrics(), byHand: chosenByHand, bootstrap: byId("bootstrap").value, seed: byId("seed").value, view });

function keep(scored) {
  try {
    const text = JSON.stringify({ ...stateNow(), texts: { ...texts(), ids }, scored });
    if (text.length <= MOST_KEPT) sessionStorage.setItem(KEPT, text);
    else sessionStorage.removeItem(KEPT);
  } catch { /* there are no candidates yet, or the browser keeps nothing */ }
}

async function restore(state) {
  fill(state.texts);
  chosenByHand = state.byHand ?? true;
  chooseMetrics(state.metrics);
  showNeeds();
  byId("bootstrap").value = state.bootstrap;
  byId("seed").value = state.seed;
  if (state.scored === false) return;
  await job.run();
  const wanted = state.view ?? {};
  if (!latest) return;
  view = { ...view, ...wanted, open: null };
  for (const name of ["system", "against", "find"]) byId(name).value = view[name];
  showSorts();
  showSentences();
  if (wanted.open) openRow(wanted.open);
}

function openRow({ system, place }) {
  const found = list.rows.findIndex((row) => row.system === system && row.place === place);
  if (found >= 0) list.select(found, "open");
}

async function copyLink(status, open) {
  const link = `${location.origin}/#${await packed({ ...stateNow(), view: { ...view, open } })}`;
  if (link.length > MOST_IN_LINK) status.textContent = "too long for a link; use Save as a file";
  else await copy(link, status, "link copied");
}

async function openLink() {
  if (location.hash.length < 2) {
    const kept = sessionStorage.getItem(KEPT);
    if (kept) await restore(JSON.parse(kept));
    return;
  }
  let state;
  try {
    state = await unpacked(location.hash.slice(1));
    if (!state.texts?.candidates || !Array.isArray(state.metrics)) throw new Problem("no texts");
  } catch {
    throw new Problem("the link is damaged; copy it again");
  }
  await restore(state);
}

// The page

const buttons = {
  "add-reference": () => addBox("references", freeName("references")).querySelector("textarea").focus(),
  "add-candidate": () => addBox("candidates", freeName("candidates")).querySelector("textarea").focus(),
  example: () => attempt(get("/api/example").then((testset) => fill(testset))),
  clear: () => {
    fill({ originals: [], references: {}, candidates: {} });
    sessionStorage.removeItem(KEPT);
  },
  save: () => attempt((async () => save("workbench.json", { ...stateNow(), texts: { ...texts(), ids } }))()),
  "copy-json": () => copy(JSON.stringify(latest.answer, null, 1), byId("copied"), "copied"),
  "copy-link": () => copyLink(byId("copied"), null),
  "why-json": () => copy(JSON.stringify([...explained.explanations.values()].map(({ html, ...data }) => data), null, 1), byId("why-copied"), "copied"),
  "why-link": () => copyLink(byId("why-copied"), view.open),
  previous: () => list.select(list.selected - 1, "move"),
  next: () => list.select(list.selected + 1, "move"),
  close: closeWhy,
};
for (const [id, action] of Object.entries(buttons)) byId(id).addEventListener("click", action);
byId("files").addEventListener("change", ({ target }) => attempt(takeFiles([...target.files]).finally(() => (target.value = ""))));
byId("form-metrics").addEventListener("input", () => {
  chosenByHand = true;
});
byId("form").addEventListener("input", () => {
  showNeeds();
  keep(latest !== null);
});
addBox("references", "1");
addBox("candidates", "system 1");
showNeeds();
attempt(openLink());
