// The page "Compare and meta-evaluate".
import { Problem, byId, chooseMetrics, chosenMetrics, copy, get, make, post, readText, runner, save, table } from "./web.js";

let example = null; // the texts of the example, if they are used instead of a file
let latest = null;

async function fileOf(input) {
  const file = byId(input).files[0];
  return file ? { name: file.name.slice(0, 200), text: await readText(file) } : null;
}

const job = runner(async ({ signal, progress }) => {
  const testset = await fileOf("testset");
  const texts = testset ? null : example;
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
    byId("testset").value = "";
    byId("using").textContent = `the example: ${example.ids.length} sentences, ${Object.keys(example.candidates).length} systems`;
    if (!chosenMetrics().length) chooseMetrics(["bleu", "pem", "ter"]);
  } catch (error) {
    fail(error);
  }
});
byId("testset").addEventListener("change", () => {
  example = null;
  byId("using").textContent = "";
});
byId("copy-json").addEventListener("click", () => copy(JSON.stringify(latest, null, 1), byId("copied"), "copied"));
byId("save-json").addEventListener("click", () => save("report.json", latest));
