import { escapeHtml } from "#app/core/text/escape-html.ts";
import type { Picture, Shown } from "./shoot.ts";

export function renderIndexPage(title: string, shown: Shown[], madeAt: string): string {
  const wrong = shown.filter(({ found }) => found.length > 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark }
body { margin: 2rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem } h2 { font-size: 1.125rem; margin: 2.5rem 0 .5rem; scroll-margin: 1rem }
nav { columns: 16rem; font-size: .875rem } nav a { display: block }
.row { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start }
figure { margin: 0 } figcaption { font-size: .8125rem }
img { display: block; border: 1px solid GrayText; max-block-size: 40rem; object-fit: cover; object-position: top }
.wide img { inline-size: 32rem } .narrow img { inline-size: 13rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-inline-start: 4px solid #c33; padding-inline-start: 1rem; font-size: .8125rem }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${shown.length} scenes, ${escapeHtml(madeAt)}. ${wrong.length === 0 ? "Nothing was found." : `Something was found on ${wrong.length}.`}</p>
<nav>${shown.map(({ scene, found }, at) => `<a href="#s${at}">${escapeHtml(scene.name)}${found.length > 0 ? " (!)" : ""}</a>`).join("\n")}</nav>
${shown.map(renderScene).join("\n")}
</body>
</html>
`;
}

function renderScene({ scene, pictures, found }: Shown, at: number): string {
  return `<h2 id="s${at}">${escapeHtml(scene.name)}</h2>
<p><code>${escapeHtml(scene.path)}</code>, ${escapeHtml(scene.who)}</p>
${found.length > 0 ? `<pre>${escapeHtml(found.join("\n"))}</pre>` : ""}
<div class="row">${pictures.map((picture) => renderPicture(scene.name, picture)).join("\n")}</div>`;
}

function renderPicture(name: string, { file, theme, width, plain }: Picture): string {
  const how = `${width} px, ${theme}${plain ? ", without JavaScript" : ""}`;
  return `<figure class="${width > 500 ? "wide" : "narrow"}"><a href="${file}"><img src="${file}" alt="${escapeHtml(`${name}: ${how}`)}" loading="lazy"></a><figcaption>${how}</figcaption></figure>`;
}
