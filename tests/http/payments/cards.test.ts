import { planMessages } from "#app/routes/settings/plan/messages.ts";
import { expect, test } from "vitest";
import { pages } from "#tests/support/billing/catalogue.ts";
import { subscriber } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite();

test("a card that is added on the payment provider's page is shown, charged from then on, and renewed by its bank", async () => {
  const visitor = await subscriber(site, "card@example.com");
  const plan = async () => (await visitor.open(pages.plan)).text();
  expect(await plan()).toContain("4242");
  await visitor.press(planMessages.en.updateCard);
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
