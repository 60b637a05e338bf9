// The page "Compare and meta-evaluate".
import { Problem, baseName, byId, chooseMetrics, chosenMetrics, copy, get, make, post, readText, runner, save, table } from "./web.js";

let example = null; // the texts of the example, if they are used instead of a file
let latest = null;

async function fileOf(input) {
  const file = byId(input).files[0];
  return file ? { name: file.name.slice(0, 200), text: await readText(file) } : null;
}

const counted = (count) => `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;

// The texts in plain files, one sentence per line; null if there are none.
async function plainTexts() {
  const read = async (input) => Promise.all([...byId(input).files].map(async (file) => [baseName(file.name).slice(0, 200), lines(await readText(file)), file.name]));
  const lines = (text) => text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  const [systems, originals, references] = [await read("systems"), await read("originals"), await read("references")];
  if (!systems.length) {
    if (originals.length || references.length) throw new Problem("choose a file of candidates for each system, too");
    return null;
  }
  const [, first, firstName] = systems[0];
  for (const [, found, name] of [...systems, ...originals, ...references]) {
    if (found.length !== first.length) throw new Problem(`${name} has ${counted(found.length)}, but ${firstName} has ${first.length.toLocaleString("en")}; every file needs one line for each sentence`);
  }
  for (const files of [systems, references]) {
    const names = files.map(([name]) => name), twice = names.find((name, place) => names.indexOf(name) < place);
    if (twice !== undefined) throw new Problem(`two files are named ${twice}; rename one of them`);
  }
  const columns = (files) => Object.fromEntries(files.map(([name, found]) => [name, found]));
  return { candidates: columns(systems), references: columns(references), originals: originals[0]?.[1] ?? null };
}

const job = runner(async ({ signal, progress }) => {
  const testset = await fileOf("testset");
  const plain = await plainTexts();
  if (plain && testset) throw new Problem("choose plain files or a test set, not both");
  const texts = testset ? null : plain ?? example;
  const metrics = chosenMetrics();
  const scores = [];
  for (const file of byId("scores").files) scores.push({ name: file.name.slice(0, 200), text: await readText(file) });
  const common = { texts, testset };
  const seed = Number(byId("seed").value);
  const bootstrap = Number(byId("bootstrap").value);
  const request = {
    ...common, ...(bootstrap ? { seed } : {}), metrics, scores, judgments: await fileOf("judgments"), pair: byId("pair").value.trim() || null,
    methods: [...document.querySelectorAll("input[name=method]:checked")].map((box) => box.value),
    title: byId("title").value, bootstrap, html: true,
  };
  if (!scores.length && !metrics.length) throw new Problem("choose metrics or files of scores");
  if (!request.methods.length) throw new Problem("choose at least one correlation");
  const answer = await post("/api/report", request, { signal, progress });
  const several = new Set(answer.report.sections.find(({ key }) => key === "systems").parts[0].rows.map(([system]) => system)).size > 1;
  let differences = null;
  if (metrics.length && several && (texts || testset)) {
    const tests = [byId("test").value];
    differences = await post("/api/compare", { ...common, seed, metrics, tests, all_pairs: byId("all-pairs").checked }, { signal, progress });
  }
  latest = { report: answer.report, ...differences };
  show(answer, differences);
  return "done";
});

function show({ report, html }, differences) {
  byId("results-title").textContent = report.title;
  byId("report").innerHTML = html; // the server has escaped every text in it
  window.enliven(byId("report"), report.items);
  byId("differences").replaceChildren(...(differences ? differenceTables(differences.comparisons) : []));
  byId("copied").textContent = "";
  byId("results").classList.remove("hidden");
  byId("results-title").focus();
}

function differenceTables(rows) {
  const permutation = rows.every(({ test }) => test === "permutation");
  const columns = ["metric", "baseline", "system", "baseline_score", "score", "difference", ...(permutation ? [] : ["low", "high", "wins"]), "p_value"];
  const cells = rows.map((row) => columns.map((column) => row[column]));
  const signatures = [...new Set(rows.map(({ signature }) => signature))];
  return [
    make("h3", {}, "Are the differences significant?"),
    table(columns.map((column) => column.replace("_", " ")), cells, "Differences between systems"),
    ...signatures.map((text) => make("code", { class: "signature" }, text)),
  ];
}

const fail = (error) => job.say(error);

byId("example").addEventListener("click", async () => {
  try {
    example = await get("/api/example");
    for (const input of ["testset", "systems", "originals", "references"]) byId(input).value = "";
    byId("using").textContent = `the example: ${example.ids.length} sentences, ${Object.keys(example.candidates).length} systems`;
    if (!chosenMetrics().length) chooseMetrics(["bleu", "pem", "ter"]);
    showChosen();
  } catch (error) {
    fail(error);
  }
});
for (const input of ["testset", "systems"]) {
  byId(input).addEventListener("change", () => {
    example = null;
    byId("using").textContent = "";
  });
}
byId("form-metrics").open = true; // nothing is chosen yet
const showChosen = () => (byId("chosen").textContent = chosenMetrics().join(", ") || "none chosen yet");
byId("form").addEventListener("input", showChosen);
showChosen();
byId("copy-json").addEventListener("click", () => copy(JSON.stringify(latest, null, 1), byId("copied"), "copied"));
byId("save-json").addEventListener("click", () => save("report.json", latest));
