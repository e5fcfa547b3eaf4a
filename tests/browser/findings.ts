import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe has to say against the page as it stands. */
export async function findings(page: Page, without: string[] = []): Promise<object[]> {
  const off = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  // No page of ours has frames, which the slow way is for; the rule on target sizes is WCAG 2.2's, and off by default.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ["violations"], rules: { ...off, "target-size": { enabled: true } } });
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html: html.slice(0, 200), why: failureSummary })),
  );
}
