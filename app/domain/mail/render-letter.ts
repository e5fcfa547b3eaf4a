import type { Words } from "./letters.words.ts";
import { headerLine, type Mail } from "./rules.ts";

/**
 * Words to a mail with a text and an HTML part. Mail programs know little CSS: one column, inline styles, a table for
 * nothing; dark mode by `color-scheme` and one media query, which those that don't know it leave out. The colours are those of
 * `app/ui/styles` in hex, since mail programs don't know OKLCH either.
 */
export function renderLetter(words: Words, to: string, sender: { product: string; support: string }): Mail {
  return {
    to: headerLine(to),
    subject: headerLine(words.subject),
    text: renderText(words, sender),
    html: renderHtml(words, sender),
  };
}

function renderText(words: Words, sender: { product: string; support: string }): string {
  const blocks = [
    words.heading,
    ...words.before,
    ...(words.code ? [`    ${grouped(words.code)}`] : []),
    ...(words.button ? [`${words.button.label}:\n${words.button.url}`] : []),
    ...words.after,
    `-- \n${words.reason}\n${sender.product} · questions: ${sender.support}`,
  ];
  return `${blocks.join("\n\n")}\n`;
}

const font = "'Instrument Sans', 'Helvetica Neue', Arial, sans-serif";

function renderHtml(words: Words, sender: { product: string; support: string }): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const code = words.code
    ? `<p class="code" style="margin:8px 0 24px;font-size:34px;font-weight:600;letter-spacing:.08em;font-variant-numeric:tabular-nums">${grouped(words.code)}</p>`
    : "";
  const button = words.button
    ? `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(words.button.url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:#1949c5;color:#fcfcf9;text-decoration:none;font-weight:600">${escapeHtml(words.button.label)}</a></p>`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(words.subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  body, .paper { background: #161310 !important; color: #efede7 !important }
  .button { background: #92b6ff !important; color: #0d1528 !important }
  .quiet { color: #b9b5ad !important }
}
</style>
</head>
<body style="margin:0;background:#f6f4ef;color:#221c16">
<div class="paper" style="max-width:30rem;margin:0 auto;padding:40px 24px;background:#f6f4ef;color:#221c16;font:17px/1.5 ${font}">
<p style="margin:0 0 32px;font-weight:600">${escapeHtml(sender.product)}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600">${escapeHtml(words.heading)}</h1>
${words.before.map(paragraph).join("\n")}
${code}${button}
${words.after.map(paragraph).join("\n")}
<p class="quiet" style="margin:40px 0 0;font-size:14px;color:#534c44">${escapeHtml(words.reason)}<br>Questions: ${escapeHtml(sender.support)}</p>
</div>
</body>
</html>
`;
}

/** "1234 5678": two groups are read and typed with fewer mistakes. */
function grouped(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
