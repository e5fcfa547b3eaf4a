import { escapeHtml } from "#app/core/text/escape-html.ts";
import type { SetUpStep } from "#app/set-up-steps.ts";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";

const { columns, states } = plainPagesMessages.en.setUp;

/** The steps of the set-up as a table. */
export function renderSetUpSteps(steps: readonly SetUpStep[]): string {
  const cells = (tag: "td" | "th", texts: string[]) =>
    texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("");
  const head = cells("th", [columns.name, columns.state, columns.command]);
  const rows = steps.map(({ name, state, command }) => {
    const isDone = state === "set";
    return `<tr>${cells("td", [name, states[state], isDone ? "" : command])}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
