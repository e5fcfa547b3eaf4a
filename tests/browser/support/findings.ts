import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

type RunOptions = Parameters<AxeBuilder["options"]>[0];

/** What axe reports about the page as it is. */
export function findings(page: Page, without: string[] = []): Promise<object[]> {
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  // The rule on target sizes is WCAG 2.2's, and off by default.
  return analyze(page, { rules: { ...off, "target-size": { enabled: true } } });
}

/** The same for what differs between themes, and nothing else. */
export function colourFindings(page: Page): Promise<object[]> {
  return analyze(page, { runOnly: { type: "tag", values: ["cat.color"] } });
}

async function analyze(page: Page, options: RunOptions): Promise<object[]> {
  // Our pages have no frames, which the slow mode is for.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], ...options });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html: html.slice(0, 200), why: failureSummary })),
  );
}
