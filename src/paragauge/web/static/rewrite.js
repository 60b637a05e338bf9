// The page of rewritings: sentences in, candidates with their derivations out.

import { byId, make, post, runner, shown } from "./web.js";
import { readText } from "./files.js";
import { keep, kept, saveState, stateIn } from "./state.js";

const PAGE = "rewrite";
const INPUTS = ["text", "kbest", "optimise", "ratio"];
let rewritten = false;
const stateNow = () => ({ ...Object.fromEntries(INPUTS.map((id) => [id, byId(id).value])), rewritten });

async function restore(state) {
  for (const id of INPUTS) if (state[id] !== undefined) byId(id).value = state[id];
  if (state.rewritten) await job.run();
}

const number = (id) => (byId(id).value === "" ? null : Number(byId(id).value));

function candidate(one, metric) {
  const value = one.value === null ? "" : `${metric} ${shown(one.value)} · `;
  const entry = make("details", { class: "rewriting" },
    make("summary", {}, `${one.text || "(empty)"} `,
      make("span", { class: "figures" }, `${value}score ${shown(one.score)} · length ${Math.round(100 * one.ratio)} %`)));
  entry.addEventListener("toggle", () => {
    if (!entry.open || entry.dataset.drawn) return;
    entry.dataset.drawn = "yes";
    const place = make("div", {});
    place.innerHTML = one.html; // made by the server, which escapes every text
    entry.append(place);
  });
  return entry;
}

function show(answer, metric) {
  byId("variety").textContent = answer.variety === null ? "" :
    `self-BLEU of the candidates: ${answer.variety.toFixed(1)} (100: all alike)`;
  byId("sentences-out").replaceChildren(...answer.sentences.map((sentence) => make("section", {},
    make("h2", {}, sentence.original || "(empty)"),
    ...(sentence.short_enough ? [] : [make("p", { class: "soft" }, "could not be made short enough; this is the shortest")]),
    ...sentence.candidates.map((one) => candidate(one, metric)))));
  byId("signature").textContent = answer.signature;
  byId("results").classList.remove("hidden");
}

const job = runner(async ({ signal, progress }) => {
  const sentences = byId("text").value.split("\n").map((line) => line.trim()).filter(Boolean);
  const optimise = byId("optimise").value || null;
  const body = { sentences, kbest: number("kbest"), max_ratio: number("ratio"), optimise, html: true };
  show(await post("/api/generate", body, { signal, progress }), optimise);
  rewritten = true;
  keep(PAGE, stateNow());
  return `${sentences.length} ${sentences.length === 1 ? "sentence" : "sentences"}`;
});

byId("form").addEventListener("input", () => keep(PAGE, stateNow()));
byId("save").addEventListener("click", () => saveState(PAGE, stateNow()));
byId("files").addEventListener("change", async ({ target }) => {
  const [file] = target.files, text = await readText(file);
  target.value = "";
  await restore(stateIn(file.name, text) ?? { text });
  keep(PAGE, stateNow());
});
restore(kept(PAGE) ?? {});
