// The choice of metrics (_metrics.html): sensible ones are chosen for the texts that are there until somebody chooses others.
import { byId } from "./web.js";

const boxes = () => [...document.querySelectorAll("input[name=metric]")];
let byHand = false;

// The chosen metrics: the checked boxes, then those typed with options.
export function chosenMetrics() {
  const checked = boxes().filter((box) => box.checked).map((box) => box.value);
  const written = byId("more-metrics").value.split(";").map((text) => text.trim()).filter(Boolean);
  return [...checked, ...written];
}

function choose(names) {
  for (const box of boxes()) box.checked = names.includes(box.value);
  byId("more-metrics").value = names.filter((name) => !boxes().some((box) => box.value === name)).join("; ");
}

function suggested({ originals, references }) {
  if (originals && references) return ["pem+", "bleu", "chrf"];
  if (originals) return ["pem+", "pinc"];
  return references ? ["bleu", "chrf", "meteor"] : [];
}

// Choose metrics for texts of which *has* says whether there are originals and references. Metrics whose inputs are
// missing are grey; choosing one still reports what is missing.
export function showMetrics(has) {
  if (!byHand) choose(suggested(has));
  for (const box of boxes()) {
    const needs = box.dataset.needs.split(" ").filter((need) => need in has);
    box.closest(".choice").classList.toggle("lacking", needs.some((need) => !has[need]));
  }
  const found = Object.keys(has).filter((name) => has[name]).join(" and ");
  byId("chosen").textContent = chosenMetrics().join(", ") || "none chosen yet";
  byId("chosen-why").textContent = byHand ? "" : found ? `chosen for texts with ${found}; change` : "change";
}

export const metricState = () => ({ metrics: chosenMetrics(), byHand });

export function restoreMetrics(state) {
  byHand = state.byHand ?? true;
  choose(state.metrics);
}

const boxOf = (metric) => boxes().find((box) => box.value === metric || box.value === metric.split("(")[0]);
export const lowerIsBetter = (metric) => boxOf(metric)?.dataset.better === "lower";
export const aboutMetric = (metric) => boxOf(metric)?.closest(".choice").querySelector(".what")?.firstChild.textContent.trim() ?? "";

byId("form-metrics").addEventListener("input", () => {
  byHand = true;
});
