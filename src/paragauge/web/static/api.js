// The API page: sends the requests in the boxes and shows the responses. Edited requests are kept over a reload.
import { byId, copy } from "./web.js";
import { readText } from "./files.js";
import { forget, keep, kept, saveState, stateIn } from "./state.js";

const PAGE = "api";
const MOST_SHOWN = 20000; // letters
const forms = [...document.querySelectorAll("form.try")];
const area = (form) => form.querySelector("textarea");
const edited = () => forms.filter(area);

const stateNow = () => ({ requests: Object.fromEntries(edited().filter((form) => area(form).value !== area(form).defaultValue).map((form) => [form.dataset.path, area(form).value])) });

function restore({ requests = {} }) {
  for (const form of edited()) area(form).value = requests[form.dataset.path] ?? area(form).defaultValue;
}

for (const form of forms) {
  const { method, path } = form.dataset, status = form.querySelector("[role=status]"), shown = form.querySelector(".result");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = area(form)?.value;
    const begun = performance.now();
    status.textContent = "…";
    try {
      const answer = await fetch(path, { method, body, headers: body === undefined ? {} : { "content-type": "application/json" } });
      const text = await answer.text();
      status.textContent = `${answer.status} ${answer.statusText}, ${Math.round(performance.now() - begun)} ms`;
      shown.textContent = pretty(text);
      shown.classList.remove("hidden");
    } catch (error) {
      status.textContent = error.message;
    }
  });
  form.querySelector(".curl").addEventListener("click", () => copy(curl(path, area(form)?.value), status, "copied"));
  area(form)?.addEventListener("input", () => keep(PAGE, stateNow()));
}

function curl(path, body) {
  const data = body === undefined ? "" : ` -H 'content-type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
  return `curl${data} ${location.origin}${path}`;
}

function pretty(text) {
  let laid = text;
  try {
    laid = JSON.stringify(JSON.parse(text), null, 1);
  } catch { /* it is shown as it came */ }
  return laid.length > MOST_SHOWN ? `${laid.slice(0, MOST_SHOWN)}\n… ${(laid.length - MOST_SHOWN).toLocaleString("en")} more characters` : laid;
}

function say(text) {
  byId("problem").textContent = text;
  byId("problem").className = text ? "error" : "";
}

byId("save").addEventListener("click", () => saveState(PAGE, stateNow()));
byId("clear").addEventListener("click", () => {
  restore({});
  forget(PAGE);
});
byId("files").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  try {
    const state = stateIn(file.name, await readText(file));
    if (!state?.requests) throw new Error(`${file.name}: holds no requests; expected a file saved on this page`);
    restore(state);
    keep(PAGE, state);
    say("");
  } catch (error) {
    say(error.message);
  }
  target.value = "";
});
restore(kept(PAGE) ?? {});
