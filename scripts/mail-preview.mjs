/**
 * `npm run mail:preview`: every mail with sample facts, in a browser: light and dark, at 600 and 390 pixels, and its text part.
 * With `-- --out FOLDER` the same pages as files. Nothing is sent.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { wordsFor } from "../app/domain/mail/letters.words.ts";
import { renderLetter } from "../app/domain/mail/render-letter.ts";
import { product } from "../app/product.config.ts";
import { samples } from "./mail-samples.ts";

const { out, port } = readArguments();
const files = drawAll();
if (out) writeAll(out);
else serve();

function readArguments() {
  try {
    const options = { out: { type: "string" }, port: { type: "string", default: "8790" } };
    const { values } = parseArgs({ options });
    const number = Number(values.port);
    if (Number.isInteger(number) && number >= 0 && number <= 65535) return { out: values.out, port: number };
    throw new Error("--port takes a number from 0 to 65535");
  } catch (error) {
    console.error(error.message);
    return process.exit(1);
  }
}

/** Every file by its name. A template with several samples has a page for each. */
function drawAll() {
  const names = { product: product.name, support: product.support };
  const mails = Object.entries(samples).flatMap(([template, letters]) =>
    letters.map((letter, index) => ({
      name: index === 0 ? template : `${template}-${index + 1}`,
      ...renderLetter(wordsFor(letter, names), "mara@example.org", names),
    })),
  );
  return new Map([
    ["index.html", drawIndex(mails)],
    ...mails.flatMap((mail) => [
      [`${mail.name}.html`, drawPage(mail)],
      [`${mail.name}.light.html`, inScheme(mail.html, "light")],
      [`${mail.name}.dark.html`, inScheme(mail.html, "dark")],
      [`${mail.name}.txt`, mail.text],
    ]),
  ]);
}

/** As a program with that scheme shows it, whatever this browser prefers. */
function inScheme(html, scheme) {
  const media = scheme === "dark" ? "@media all" : "@media not all";
  return html.replace("@media (prefers-color-scheme: dark)", media).replaceAll("light dark", scheme);
}

function drawIndex(mails) {
  const rows = mails.map(
    ({ name, subject }) =>
      `<tr><th scope="row"><a href="${name}.html">${name}</a></th><td>${escapeHtml(subject)}</td><td><a href="${name}.light.html">light</a> <a href="${name}.dark.html">dark</a> <a href="${name}.txt">text</a></td></tr>`,
  );
  return page("Mails", `<h1>${mails.length} mails</h1>\n<table>\n${rows.join("\n")}\n</table>`);
}

function drawPage({ name, subject, text }) {
  const frames = [600, 390].flatMap((width) =>
    ["light", "dark"].map(
      (scheme) =>
        `<figure><figcaption>${width} px, ${scheme}</figcaption><iframe src="${name}.${scheme}.html" title="${scheme}, ${width} pixels wide" width="${width}" height="680"></iframe></figure>`,
    ),
  );
  return page(
    name,
    `<p><a href="index.html">All mails</a></p>\n<h1>${escapeHtml(subject)}</h1>\n<div class="frames">\n${frames.join("\n")}\n<figure><figcaption>Text part</figcaption><pre>${escapeHtml(text)}</pre></figure>\n</div>`,
  );
}

function page(title, body) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.25rem }
table { border-spacing: 0 } th, td { padding: .25rem 1.5rem .25rem 0; text-align: start; vertical-align: top; font-weight: 400 }
.frames { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start }
figure { margin: 0; max-width: 100% } figcaption { font-size: .875rem; margin-bottom: .25rem }
iframe { max-width: 100%; border: 1px solid GrayText } pre { width: 600px; max-width: 100%; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function escapeHtml(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function writeAll(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  console.log(`${files.size} files in ${folder}: open index.html`);
}

/** On loopback only: nobody else in the network has to see it. */
function serve() {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    const content = files.get(name);
    const type = name.endsWith(".txt") ? "text/plain" : "text/html";
    response.writeHead(content ? 200 : 404, { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-store" });
    response.end(content ?? "There is nothing here");
  });
  server.on("error", (error) => {
    console.error(
      `The preview can't listen on port ${port} (${error.code}); another one: npm run mail:preview -- --port N`,
    );
    process.exitCode = 1;
  });
  server.listen(port, "127.0.0.1", () => {
    console.log(`\n  Mails         http://localhost:${server.address().port}\n\n  Stop with Ctrl-C.\n`);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(0));
}
