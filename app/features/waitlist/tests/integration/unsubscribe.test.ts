import { expect, test } from "vitest";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const address = "waits-for-the-opening@example.com";

/** The email as it was handed to the service. */
async function sent(app: TestApp, entryId?: `ent_${string}`) {
  const content = { template: "doors-open", what: "A", url: "https://a.example/signup" } as const;
  const email = await sealEmail(app, address, content);
  await app.db.batch([addEmail(app.db, { ...email, entryId })]);
  await deliverEmail(app, email.id);
  return app.emails.find(({ id }) => id === email.id);
}

test("the email that says that the wait is over has the link in its text as well, the same at each try", async () => {
  const app = testApp();
  const [first, second] = [await sent(app, "ent_waits"), await sent(app, "ent_waits")];
  const [, url = "no link"] = /^<(https?:[^>]+)>$/.exec(first?.headers?.["List-Unsubscribe"] ?? "") ?? [];
  expect(first?.text).toContain(url);
  expect(second?.headers).toEqual(first?.headers);
});

test("one to nobody that we know has no link", async () => {
  expect((await sent(testApp()))?.headers).toBeUndefined();
});
