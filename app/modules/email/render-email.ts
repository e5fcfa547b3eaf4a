import type { Written } from "./write-text.rules.ts";
import { escapeHtml } from "#app/core/text/escape-html.ts";
import { type Email, toOneLine } from "./rules.ts";
import type { ProductFacts, EmailReceipt } from "./texts.rules.ts";

/**
 * Renders an email as text and HTML. Mail clients support little CSS: one column, inline styles, no layout tables; dark mode by
 * `color-scheme` and a media query that the others ignore. Nothing is loaded, no pictures and no fonts. Colours are those of
 * `app/ui/styles` in hex, since mail clients don't support OKLCH.
 */
export function renderEmail(content: Written, to: string, names: ProductFacts): Email {
  return {
    to: toOneLine(to),
    subject: toOneLine(content.subject),
    text: renderText(content, names),
    html: renderHtml(content, names),
  };
}

/** Mail clients treat "-- " as the start of a signature, which they set apart or leave out of replies. */
function renderText(content: Written, names: ProductFacts): string {
  const link = ({ label, url }: { label: string; url: string }) => `${label}:\n${url}`;
  const blocks = [
    content.heading,
    ...content.before,
    ...(content.code ? [`    ${grouped(content.code)}`] : []),
    ...(content.receipt ? renderReceiptAsText(content.receipt) : []),
    ...(content.button ? [link(content.button)] : []),
    ...content.after,
    ...(content.more ? [link(content.more)] : []),
    [`-- `, content.reason, ...(content.off ? [link(content.off)] : []), `${names.product} · ${names.support}`].join(
      "\n",
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

const font = "'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif";

/** Only what attributes can't express; clients that drop style sheets show the light page. */
const styles = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 560px) {
  .paper { padding: 0 !important }
  .sheet { padding: 28px 20px 36px !important; border-radius: 0 !important }
}
@media (prefers-color-scheme: dark) {
  body, .paper { background: #161310 !important; color: #efede7 !important }
  .sheet { background: #1f1c18 !important }
  .code { background: #292521 !important }
  .button { background: #92b6ff !important; color: #0d1528 !important }
  .link { color: #92b6ff !important }
  .quiet { color: #bab5ad !important; border-color: #3a3630 !important }
  .line { border-color: #3a3630 !important }
}
`;

function renderHtml(content: Written, names: ProductFacts): string {
  const [preview = ""] = content.before;
  return `<!doctype html>
<html lang="${content.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(content.subject)}</title>
<style>${styles}</style>
</head>
<body style="margin:0;background:#f6f4ef;color:#221c16">
<div style="display:none">${escapeHtml(preview)}</div>
<div class="paper" style="padding:32px 16px;background:#f6f4ef;color:#221c16;font:17px/1.5 ${font}">
<div class="sheet" style="max-width:480px;margin:0 auto;padding:32px 40px 40px;background:#fdfcfa;border-radius:18px 18px 4px 4px;overflow-wrap:anywhere">
<p style="margin:0 0 28px;font-weight:600">${escapeHtml(names.product)}</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600">${escapeHtml(content.heading)}</h1>
${[
  ...content.before.map(paragraph),
  ...codeBlock(content),
  ...(content.receipt ? renderReceiptAsHtml(content.receipt) : []),
  ...buttonBlock(content),
  ...content.after.map(paragraph),
  ...(content.more ? [`<p style="margin:0 0 16px">${link(content.more)}</p>`] : []),
].join("\n")}
${footer(content, names)}
</div>
</div>
</body>
</html>
`;
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
}

function codeBlock({ code }: Written): string[] {
  if (!code) return [];
  return [
    `<p class="code" style="margin:8px 0 24px;padding:16px 8px;border-radius:8px;background:#eeebe4;text-align:center;white-space:nowrap;font-size:34px;line-height:1.2;font-weight:600;letter-spacing:.06em;font-variant-numeric:tabular-nums">${grouped(code)}</p>`,
  ];
}

function buttonBlock({ button }: Written): string[] {
  if (!button) return [];
  return [
    `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1949c5;color:#fcfcf9;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>`,
  ];
}

function footer(content: Written, names: ProductFacts): string {
  const lines = [
    escapeHtml(content.reason),
    ...(content.off ? [link(content.off)] : []),
    `${escapeHtml(names.product)} · ${link({ label: names.support, url: `mailto:${names.support}` })}`,
  ];
  return `<div class="quiet" style="margin:32px 0 0;padding:16px 0 0;border-top:1px solid #ddd9d0;font-size:14px;color:#534c44">
${lines.map((line) => `<p style="margin:0 0 8px">${line}</p>`).join("\n")}
</div>`;
}

function link({ label, url }: { label: string; url: string }): string {
  return `<a class="link" href="${escapeHtml(url)}" style="color:#1949c5">${escapeHtml(label)}</a>`;
}

/** "1234 5678": two groups are read and typed with fewer mistakes. */
function grouped(code: string): string {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}

/** Parts of a receipt that a text separates by an empty line. */
function renderReceiptAsText({ title, lines, sums, total, notes, parties }: EmailReceipt): string[] {
  return [
    title,
    ...lines.map(({ what, period, amount }) => [what, ...(period ? [period] : []), amount].join("\n")),
    [...sums, total].map(({ label, amount }) => `${label}: ${amount}`).join("\n"),
    ...notes,
    ...parties.map((party) => [`${party.label}:`, ...party.lines].join("\n")),
  ];
}

const cell = "padding:8px 0;border-top:1px solid #ddd9d0;text-align:left;vertical-align:top;font-weight:400";
const amountCell =
  "padding:8px 0 8px 16px;border-top:1px solid #ddd9d0;text-align:right;vertical-align:top;white-space:nowrap";
const bold = ";font-weight:600";
const quiet = "font-size:14px;color:#534c44";

/** A table of lines and sums, and below it who paid whom: one below the other, so that long words have room. */
function renderReceiptAsHtml({ title, lines, sums, total, notes, parties }: EmailReceipt): string[] {
  const rows = [
    ...lines.map(({ what, period, amount }) => row(what, amount, { note: period })),
    ...sums.map(({ label, amount }) => row(label, amount, {})),
    row(total.label, total.amount, { isTotal: true }),
  ];
  return [
    `<h2 style="margin:24px 0 8px;font-size:17px;line-height:1.4;font-weight:600">${escapeHtml(title)}</h2>`,
    `<table style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:16px;font-variant-numeric:tabular-nums">\n${rows.join("\n")}\n</table>`,
    ...notes.map((note) => `<p class="quiet" style="margin:0 0 16px;${quiet}">${escapeHtml(note)}</p>`),
    `<div style="margin:0 0 24px;font-size:15px">\n${parties.map(party).join("\n")}\n</div>`,
  ];
}

function row(
  what: string,
  amount: string,
  { note = null, isTotal = false }: { note?: string | null; isTotal?: boolean },
) {
  const weight = isTotal ? bold : "";
  const below = note === null ? "" : `<br><span class="quiet" style="${quiet}">${escapeHtml(note)}</span>`;
  return `<tr><th scope="row" class="line" style="${cell}${weight}">${escapeHtml(what)}${below}</th><td class="line" style="${amountCell}${weight}">${escapeHtml(amount)}</td></tr>`;
}

function party({ label, lines }: EmailReceipt["parties"][number]): string {
  const [name = "", ...address] = lines;
  const below = address.map((line) => `<br>${escapeHtml(line)}`).join("");
  return `<p style="margin:0 0 16px"><span class="quiet" style="${quiet}">${escapeHtml(label)}</span><br><strong style="font-weight:600">${escapeHtml(name)}</strong>${below}</p>`;
}
