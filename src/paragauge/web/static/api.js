// The API page: sends the requests in the boxes and shows the responses.

const MOST_SHOWN = 20000; // letters

for (const form of document.querySelectorAll("form.try")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { method, path } = form.dataset;
    const status = form.querySelector("[role=status]"), shown = form.querySelector(".answer");
    const body = form.querySelector("textarea")?.value;
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
}

function pretty(text) {
  let laid = text;
  try {
    laid = JSON.stringify(JSON.parse(text), null, 1);
  } catch { /* it is shown as it came */ }
  return laid.length > MOST_SHOWN ? `${laid.slice(0, MOST_SHOWN)}\n… ${(laid.length - MOST_SHOWN).toLocaleString("en")} more characters` : laid;
}
