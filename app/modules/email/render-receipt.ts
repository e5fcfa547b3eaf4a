import { escapeHtml } from "#app/core/text/escape-html.ts";
import type { EmailReceipt } from "./texts.rules.ts";

/** Parts of a receipt that a text separates by an empty line. */
export function renderReceiptAsText({ title, lines, sums, total, notes, parties }: EmailReceipt): string[] {
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
export function renderReceiptAsHtml({ title, lines, sums, total, notes, parties }: EmailReceipt): string[] {
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
