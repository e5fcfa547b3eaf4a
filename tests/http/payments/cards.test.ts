import { afterAll, beforeAll, expect, test } from "vitest";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

async function payingCustomer(): Promise<Visitor> {
  const visitor = await site.visitor().open(`/signup?plan=${small.id}&interval=month`);
  await visitor.press("Send me a code", { email: "card@example.com", terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo("card@example.com") });
  await visitor.press(`Start ${small.name}`);
  const session = new URL(visitor.url).pathname.split("/").at(-1) ?? "";
  const paid = await site.stripe?.control("checkout", { session, outcome: "paid" });
  return visitor.open(paid?.redirect ?? "");
}

test("a card that is added on the payment provider's page is shown, charged from then on, and renewed by its bank", async () => {
  const visitor = await payingCustomer();
  const plan = async () => (await visitor.open(pages.plan)).text();
  expect(await plan()).toContain("4242");
  await visitor.press("Change card");
  expect(visitor.url).toContain(`${site.stripe?.origin}/portal/`);
  await fetch(visitor.url, { method: "POST", body: new URLSearchParams({ number: "5555555555554444" }) });
  await expect.poll(plan).toContain("4444");
  expect(await plan()).not.toContain("4242");

  // A month, and the hour in which the renewal's invoice is a draft.
  await site.stripe?.control("clock", { advanceDays: 32 });
  const charges = (await site.stripe?.sdk.charges.list())?.data ?? [];
  expect(charges.map(({ payment_method_details }) => payment_method_details?.card?.last4)).toEqual(["4444", "4242"]);

  // Its bank issues a new one, without any input.
  await site.stripe?.control("card", { order: charges[0]?.id, expires: "2039-07" });
  await expect.poll(plan).toContain("2039");
});
