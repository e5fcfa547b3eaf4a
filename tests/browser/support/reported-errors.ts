import type { Page } from "playwright-core";
import { expect } from "vitest";
import { rootMessages } from "#app/root.messages.ts";
import { nextSentryEvent } from "#tests/support/monitoring/sentry-events.ts";
import type { SentryReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

export const release = "release-of-the-test";

let markers = 0;

/** The next event is that of an error thrown here and now: neither the browser nor the Worker sent one before it. */
export async function expectNoOtherEvent(receiver: SentryReceiver, page: Page): Promise<void> {
  const message = `marker ${++markers}`;
  await page.evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, message);
  expect((await nextSentryEvent(receiver)).exception?.values.map(({ value }) => value)).toEqual([message]);
}

/** Of one error, from the browser and the Worker together. */
export async function expectOneEvent(
  receiver: SentryReceiver,
  page: Page,
  expected: { route: string; reference: string },
): Promise<void> {
  const event = await nextSentryEvent(receiver);
  expect([event.release, event.tags]).toEqual([release, { route: expected.route, reference_id: expected.reference }]);
  await expectNoOtherEvent(receiver, page);
}

const reference = fillGaps(rootMessages.en.broken.reference(gap), /\w+/);

/** The page that a visitor sees after an error. */
export async function referenceOn(page: Page, title = rootMessages.en.broken.title): Promise<string> {
  await page.getByRole("heading", { name: title }).waitFor();
  const text = await page.locator("main").innerText();
  expect(text).not.toMatch(/SQLITE|D1_ERROR|no such table|Failed query|time zone|\.js:\d/);
  return reference.exec(text)?.[1] ?? "no reference";
}
