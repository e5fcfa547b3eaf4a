import { expect, test } from "vitest";
import { accountClosingMessages } from "#app/routes/settings/data/messages.ts";
import { closeAccount, newCustomer } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { waitlistMessages } from "../../page/messages.ts";

const site = useSite();

test("a closed account is shown how to restore it, and joins only once it is", async () => {
  const { visitor, address } = await newCustomer(site);
  await closeAccount(visitor);
  const entries = async () =>
    (await site.database())
      .prepare("select count(*) n from entries where email_canonical = ?")
      .bind(address)
      .first("n");
  await visitor.open("/");
  expect(visitor.html).not.toMatch(/href="\/waitlist\?/);
  await visitor.open("/waitlist");
  expect(visitor.heading()).toBe(waitlistMessages.en.shut["account-closed"].title);
  expect(visitor.html).toMatch(/<a [^>]*href="\/settings"/);
  await visitor.post({ intent: "join" }, "/waitlist");
  expect([visitor.status, await entries()]).toEqual([409, 0]);
  await visitor.open("/settings");
  await visitor.press(accountClosingMessages.en.page.button);
  await visitor.open("/waitlist");
  await visitor.press(waitlistMessages.en.join.submit);
  expect([visitor.status, await entries()]).toEqual([200, 1]);
});
