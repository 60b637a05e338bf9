// The page "Compare and meta-evaluate": files, scores with differences, sentences that got worse, and a report.
import { Problem, byId, get, make, post, runner, save } from "./web.js";
import { baseName, checkLines, countedLines, linesOf, looksLikeTestSet, onDrop, readFile } from "./files.js";
import { chosenMetrics, metricState, restoreMetrics, showMetrics } from "./metrics.js";
import { Results } from "./results.js";
import { forget, keep, kept, saveState, stateIn, stateInLink } from "./state.js";

const PAGE = "compare";
const SETTINGS = ["title", "bootstrap", "seed", "test", "pair"];
const FIELDS = ["systems", "originals", "references", "testset", "judgments", "scores"];
const NONE = Object.fromEntries(FIELDS.map((name) => [name, []]));
let given = { ...NONE }; // files by field, as { name, text }
let read = null; // the texts in the test set, as the server read them
let latest = null; // the last answer

// Files

const fieldOf = (name) => document.querySelector(`.file-field[data-files=${name}]`);
const takesMany = (name) => byId(`file-${name}`).multiple;

function showFiles() {
  for (const name of FIELDS) {
    const files = given[name], field = fieldOf(name);
    field.querySelector(".chosen-files").replaceChildren(...files.map((file) => make("span", { class: "chosen-file" }, file.name, " ", make("span", { class: "soft" }, countedLines(linesOf(file.text).length)))));
    field.querySelector(".remove").classList.toggle("hidden", !files.length);
  }
  const has = read ?? { originals: given.originals.length, references: Object.fromEntries(given.references.map(({ name }) => [name, null])) };
  showMetrics({ originals: Boolean(has.originals), references: Object.keys(has.references).length > 0 });
}

async function put(name, files) {
  const found = await Promise.all(files.map(readFile));
  if (name === "testset") read = await post("/api/read", { file: found[0] });
  given = { ...given, [name]: takesMany(name) ? [...given[name].filter((old) => !found.some((file) => file.name === old.name)), ...found] : found.slice(0, 1) };
  showFiles();
  changed();
}

function remove(name) {
  given = { ...given, [name]: [] };
  if (name === "testset") read = null;
  showFiles();
  changed();
}

// Dropped files: the state of a page, a test set, or texts for the place that they were dropped on.
async function dropped(files, target) {
  const [first] = files, text = files.length === 1 && /\.json$/i.test(first.name) ? (await readFile(first)).text : "";
  const state = stateIn(first.name, text);
  if (state) await restore(state);
  else await put(target?.closest?.(".file-field")?.dataset.files ?? (looksLikeTestSet(first.name) ? "testset" : "systems"), files);
}

// The texts in plain files, one sentence per line; null if there are none.
function plainTexts() {
  const { systems, originals, references } = given;
  if (!systems.length) {
    if (originals.length || references.length) throw new Problem("choose a file of candidates for each system, too");
    return null;
  }
  const columns = (files) => files.map(({ name, text }) => [name, linesOf(text)]);
  checkLines([...columns(systems), ...columns(originals), ...columns(references)]);
  for (const files of [systems, references]) {
    const names = files.map(({ name }) => baseName(name)), twice = names.find((name, place) => names.indexOf(name) < place);
    if (twice !== undefined) throw new Problem(`two files are named ${twice}; rename one of them`);
  }
  const named = (files) => Object.fromEntries(columns(files).map(([name, lines]) => [baseName(name), lines]));
  return { candidates: named(systems), references: named(references), originals: columns(originals)[0]?.[1] ?? null };
}

// Comparing

const job = runner(async ({ signal, progress }) => {
  const plain = plainTexts(), [testset = null] = given.testset, [judgments = null] = given.judgments;
  if (plain && testset) throw new Problem("there are plain files and a test set; remove one of them");
  const metrics = chosenMetrics(), { scores } = given;
  if (!plain && !testset && !scores.length) throw new Problem("there is nothing to compare; choose files of candidates, a test set or scores, or try the example");
  if (!scores.length && !metrics.length) throw new Problem("choose metrics, or files of scores");
  const methods = [...document.querySelectorAll("input[name=method]:checked")].map((box) => box.value);
  if (!methods.length) throw new Problem("choose at least one correlation");
  const scored = Boolean(plain || testset) && metrics.length > 0;
  const request = {
    texts: plain, testset, metrics: scored ? metrics : [], scores, judgments, pair: byId("pair").value.trim() || null, methods,
    title: byId("title").value, bootstrap: Number(byId("bootstrap").value), seed: Number(byId("seed").value), html: true,
    ...(scored ? { segments: true, tests: [byId("test").value], all_pairs: byId("all-pairs").checked } : {}),
  };
  if (!scored && !request.bootstrap) delete request.seed; // nothing is drawn at random
  const { html, ...answer } = await post("/api/report", request, { signal, progress });
  latest = answer;
  const told = answer.report.sections.find(({ key }) => key === "summary")?.text ?? "";
  byId("summary-text").textContent = told;
  byId("report").innerHTML = html; // the server has escaped every text in it
  window.enliven(byId("report"), answer.report.items);
  if (scored) results.show(plain ?? read, answer, metrics, answer.report.title);
  else {
    results.hideSystems();
    results.reveal(answer.report.title);
  }
  changed();
  return "done";
});

const attempt = async (promise) => {
  try {
    job.say(null);
    await promise;
  } catch (error) {
    job.say(error);
  }
};

const results = new Results({ changed: () => changed(), pageState: () => stateNow() });

// State

const stateNow = () => ({
  files: given, read, ...metricState(), ...Object.fromEntries(SETTINGS.map((id) => [id, byId(id).value])), allPairs: byId("all-pairs").checked,
  methods: [...document.querySelectorAll("input[name=method]:checked")].map((box) => box.value), view: results.view, scored: latest !== null,
});

function changed() {
  const told = keep(PAGE, stateNow());
  if (told) byId("status").textContent = told;
}

// Take a state of this page, or texts of the page "Score and explain".
async function restore(state) {
  if (state.files) {
    given = { ...NONE, ...state.files };
    read = state.read ?? null;
  } else if (state.texts) takeTexts(state.texts);
  else throw new Problem("the file has no texts; was it saved by another page of the workbench?");
  restoreMetrics(state);
  for (const id of SETTINGS) if (state[id] !== undefined) byId(id).value = state[id];
  byId("all-pairs").checked = state.allPairs ?? false;
  if (state.methods) for (const box of document.querySelectorAll("input[name=method]")) box.checked = state.methods.includes(box.value);
  showFiles();
  if (!state.scored) return;
  await job.run();
  if (state.files && state.view) results.restoreView(state.view);
}

function takeTexts({ candidates, references, originals }) {
  const files = (columns) => Object.entries(columns).map(([name, lines]) => ({ name: `${name}.txt`, text: lines.join("\n") }));
  given = { ...NONE, systems: files(candidates), references: files(references), originals: originals ? files({ originals }) : [] };
  read = null;
}

async function begin() {
  const state = (await stateInLink()) ?? kept(PAGE);
  if (state) await restore(state);
}

// The page

for (const name of FIELDS) {
  byId(`file-${name}`).addEventListener("change", ({ target }) => attempt(put(name, [...target.files]).finally(() => (target.value = ""))));
  fieldOf(name).querySelector(".remove").addEventListener("click", () => {
    remove(name);
    byId(`file-${name}`).focus();
  });
}
onDrop(".file-field", (files, target) => attempt(dropped(files, target)));
byId("files").addEventListener("change", ({ target }) => attempt(dropped([...target.files]).finally(() => (target.value = ""))));
byId("example").addEventListener("click", () => attempt(get("/api/example").then((testset) => {
  takeTexts(testset);
  showFiles();
  changed();
})));
byId("clear").addEventListener("click", () => {
  given = { ...NONE };
  read = null;
  showFiles();
  forget(PAGE);
});
byId("save").addEventListener("click", () => saveState(PAGE, stateNow()));
byId("save-json").addEventListener("click", () => save("report.json", latest));
byId("form").addEventListener("input", () => {
  showFiles();
  changed();
});
showFiles();
attempt(begin());
