// Text files: reading them, their lines, and dropping them on a page.
import { Problem } from "./web.js";

// Return the text of a file, unpacked if it is gzip data.
export async function readText(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = start[0] === 0x1f && start[1] === 0x8b;
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  try {
    const data = await new Response(stream).arrayBuffer();
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new Problem(`${file.name}: not UTF-8 text${packed ? ", or damaged gzip data" : ""}; convert it first`);
  }
}

// A file as requests contain it.
export const readFile = async (file) => ({ name: file.name.slice(0, 200), text: await readText(file) });

export const baseName = (name) => (name.replace(/\.gz$/, "").replace(/\.[^.]*$/, "") || name).slice(0, 200);
export const linesOf = (text) => text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
export const countedLines = (count) => `${count.toLocaleString("en")} ${count === 1 ? "line" : "lines"}`;
export const looksLikeTestSet = (name) => /\.(tsv|csv|jsonl|sgml?|xml)(\.gz)?$/i.test(name);

// Check that all texts ([name, lines] pairs) have as many lines as the first of them.
export function checkLines(texts) {
  const [[first, { length: size }]] = texts;
  for (const [name, { length }] of texts) {
    if (length !== size) {
      const verb = name.startsWith("the ") ? "have" : "has";
      throw new Problem(`${name} ${verb} ${countedLines(length)}, but ${first} has ${size.toLocaleString("en")}; every text needs one line for each sentence`);
    }
  }
}

// Call take(files, element) when files are dropped; places that a selector names are marked while files are over them.
export function onDrop(places, take) {
  const handle = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    for (const each of document.querySelectorAll(".dropping")) each.classList.remove("dropping");
    if (event.type === "dragover") (event.target.closest?.(places) ?? document.body).classList.add("dropping");
    if (event.type === "drop") take([...event.dataTransfer.files], event.target);
  };
  for (const type of ["dragover", "dragleave", "drop"]) document.addEventListener(type, handle);
}
