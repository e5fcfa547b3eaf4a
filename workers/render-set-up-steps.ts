import { escapeHtml } from "#app/core/text/escape-html.ts";
import type { SetUpStep } from "#app/set-up-steps.ts";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";

const { columns, states } = plainPagesMessages.en.setUp;

export function renderSetUpSteps(steps: readonly SetUpStep[]): string {
  const head = [columns.name, columns.state, columns.command].map((text) => `<th scope="col">${escapeHtml(text)}</th>`);
  const rows = steps.map(({ name, state, command }) => {
    const code = state === "set" ? "" : `<code>${escapeHtml(command)}</code>`;
    return `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(states[state])}</td><td>${code}</td></tr>`;
  });
  return `<table><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
