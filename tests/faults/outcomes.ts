import { expect } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import type { Site } from "#tests/support/site/site.ts";
import { count, own, textOf } from "./race.ts";
import type { Outcome, setUpAccounts } from "./test-accounts.ts";
import type { Step } from "./way.ts";

const innards = /SQLITE|D1_ERROR|no such table|raise|Failed query|\.[jt]sx?\b:\d/;
const references = [fillGaps(rootMessages.en.broken.reference(gap), /\w+/), /"reference":"\w+"/];
const pageMsMax = 10_000;
/** Pages that need no table work in any failure. */
const always = [
  "a stranger visits /",
  "a stranger visits /legal/terms",
  "a stranger visits /signup",
  "a stranger visits /login",
];

export async function takeAll(steps: Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { name, take } of steps) {
    const startedAt = performance.now();
    const { status, text } = await take();
    outcomes.push({ step: name, status, text, ms: performance.now() - startedAt });
  }
  return outcomes;
}

/** Either it succeeded, was refused with a message, or is an unexpected error that says so. */
export function expectHonest(damage: string, outcomes: Outcome[]): void {
  for (const { step, status, text, ms } of outcomes) {
    expect([damage, step, innards.exec(text)?.[0]]).toEqual([damage, step, undefined]);
    expect([damage, step, ms < pageMsMax]).toEqual([damage, step, true]);
    const isBug = status >= 500 && status !== 503;
    if (isBug)
      expect([
        damage,
        step,
        references.some((reference) => reference.test(textOf({ text }))) ? "has a reference" : text.slice(0, 300),
      ]).toEqual([damage, step, "has a reference"]);
    if (always.includes(step)) expect([damage, step, status]).toEqual([damage, step, 200]);
  }
}

/** Nothing stays half done: what failed was completed by repeating it once. */
export async function expectFinished(
  site: Site,
  name: string,
  { people, ofFeatures }: Awaited<ReturnType<typeof setUpAccounts>>,
): Promise<void> {
  const { newcomer, buyer, departing, payer } = people;
  const found = {
    account: await count(site, `sessions where account_id in ${own} and state = 'active'`, newcomer),
    checkout: await count(site, `orders where account_id in ${own} and state = 'pending'`, buyer),
    stays: await count(site, "accounts where email_canonical = ?1 and state = 'active'", departing),
    paid: await count(site, `orders where account_id in ${own} and state = 'paid' and number_year is not null`, payer),
    receipts: await count(
      site,
      `emails m join orders o on m.id like 'mail_' || o.id || '%' where o.account_id in ${own}
      and m.template = 'receipt'`,
      payer,
    ),
  };
  for (const { finished } of ofFeatures) expect([name, await finished()]).toEqual([name, 1]);
  expect([name, found]).toEqual([name, { account: 1, checkout: 1, stays: 1, paid: 1, receipts: 1 }]);
}
