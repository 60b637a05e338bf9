// The grid of scores: a row for each system, a column for each metric, with intervals, distributions and differences.
import { make, shown, table } from "./web.js";
import { aboutMetric, lowerIsBetter } from "./metrics.js";
import { distribution } from "./plots.js";

const SIGNIFICANT = 0.05;

// *results* has texts, metrics, systems (scores), rows (of sentences), ranges and, to compare, comparisons.
export function scoreGrid(results) {
  const { metrics, systems, rows, ranges, texts, comparisons = [] } = results;
  const names = Object.keys(texts.candidates), baseline = comparisons[0]?.baseline;
  const of = (system, metric) => systems.find((row) => row.system === system && row.metric === metric);
  const head = make("tr", {}, make("th", { scope: "col" }, "System"), ...metrics.map((metric) => make("th", { scope: "col" },
    `${metric} ${lowerIsBetter(metric) ? "↓" : "↑"}`, make("span", { class: "about-metric" }, `${aboutMetric(metric)}${lowerIsBetter(metric) ? "; lower is better" : ""}`))));
  const best = Object.fromEntries(metrics.map((metric) => {
    const scores = names.map((system) => of(system, metric).score).filter((score) => score !== null);
    return [metric, names.length > 1 && scores.length ? (lowerIsBetter(metric) ? Math.min(...scores) : Math.max(...scores)) : NaN];
  }));
  const cell = (system, metric) => {
    const { score, interval } = of(system, metric);
    const spread = rows.filter((row) => row.system === system).map((row) => row.scores[metric]);
    const range = interval && interval.low !== null ? make("span", { class: "range" }, `${shown(interval.low)} to ${shown(interval.high)}`) : "";
    const name = `${metric} of ${system}: distribution of the scores of ${spread.length} sentences`;
    return make("td", { class: "cell", "data-metric": metric },
      make("span", {}, make("span", { class: score === best[metric] ? "number best" : "number" }, shown(score)), range, ...tested(comparisons, baseline, system, metric)),
      distribution(spread, score, interval, ranges[metric], name));
  };
  const body = names.map((system) => make("tr", {},
    make("th", { scope: "row", dir: "auto" }, system, system === baseline ? make("span", { class: "about-metric" }, "baseline") : ""),
    ...metrics.map((metric) => cell(system, metric))));
  const told = [names.length > 1 ? "● best" : "", "bars: how the scores of sentences are spread", "line: 95% interval of the score"];
  if (baseline !== undefined) told.push(`▲ better and ▼ worse than ${baseline}, * with p below ${SIGNIFICANT}`);
  return [make("div", { class: "scroll", role: "region", "aria-label": "Scores of systems", tabindex: "0" },
    make("table", { class: "scores" }, make("thead", {}, head), make("tbody", {}, ...body))),
  make("p", { class: "soft grid-legend" }, told.filter(Boolean).join(" · "))];
}

// How a system differs from the baseline, by each test.
function tested(comparisons, baseline, system, metric) {
  return comparisons.filter((row) => row.baseline === baseline && row.system === system && row.metric === metric).map((row) => {
    const gain = lowerIsBetter(metric) ? -row.difference : row.difference;
    const sign = row.difference === null || gain === 0 ? ["", ""] : gain < 0 ? ["worse", "▼ "] : ["better", "▲ "];
    const p = row.p_value === null ? "" : `p = ${row.p_value.toFixed(3)}${row.p_value < SIGNIFICANT ? " *" : ""}`;
    return make("span", { class: `change ${sign[0]}` }, `${sign[1]}${shown(row.difference === null ? null : Math.abs(row.difference))} `, make("span", { class: "p" }, p));
  });
}

// Every number: a table for each metric with a row for each system, and the tests between systems.
export function scoreTables({ metrics, systems, comparisons = [] }) {
  return [...metrics.flatMap((metric) => metricTable(systems.filter((row) => row.metric === metric), metric)), ...differenceTable(comparisons)];
}

const signatures = (rows) => [...new Set(rows.map(({ signature }) => signature))].map((text) => make("code", { class: "signature" }, text));

function metricTable(rows, metric) {
  const components = [...new Set(rows.flatMap((row) => Object.keys(row.components)))];
  const intervals = rows.some((row) => row.interval);
  const columns = ["system", "score", ...(intervals ? ["low", "high"] : []), ...components];
  const cells = rows.map((row) => [row.system, row.score,
    ...(intervals ? [row.interval?.low ?? null, row.interval?.high ?? null] : []), ...components.map((name) => row.components[name] ?? null)]);
  return [make("h3", {}, metric), table(columns, cells, `Scores by ${metric}`), ...signatures(rows)];
}

function differenceTable(rows) {
  if (!rows.length) return [];
  const permutation = rows.every(({ test }) => test === "permutation");
  const columns = ["metric", "baseline", "system", "baseline_score", "score", "difference", ...(permutation ? [] : ["low", "high", "wins"]), "p_value"];
  const cells = rows.map((row) => columns.map((column) => row[column]));
  return [make("h3", {}, "Differences between systems"), table(columns.map((column) => column.replace("_", " ")), cells, "Differences between systems"), ...signatures(rows)];
}
