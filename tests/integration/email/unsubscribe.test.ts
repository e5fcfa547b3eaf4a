import { beforeEach, expect, test } from "vitest";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { findUnsubscribed, unsubscribe } from "#app/modules/accounts/optional-emails.queries.server.ts";
import { readUnsubscribeToken } from "#app/modules/email/unsubscribe.rules.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let mara: Viewer;
let people = 0;

beforeEach(async () => {
  app = testApp();
  people += 1;
  mara = await new CodeDriver(app, `unsubscribing-${people}@example.com`).signedIn();
  await app.settled();
});

const sampleOf = (template: string): EmailContent => {
  const content = Object.values(samples)
    .flat()
    .find((sample) => sample.template === template);
  if (!content) throw new Error(`no sample of ${template}`);
  return content;
};

/** The email as it was handed to the service. */
async function sent(template: string, to = mara.account.email) {
  const email = await sealEmail(app, to, sampleOf(template));
  await app.db.batch([addEmail(app.db, email)]);
  await deliverEmail(app, email.id);
  return app.emails.find(({ id }) => id === email.id);
}

async function linkIn(headers: Record<string, string> | undefined) {
  const [, url = ""] = /^<(https?:[^>]+)>$/.exec(headers?.["List-Unsubscribe"] ?? "") ?? [];
  return { url, wanted: await readUnsubscribeToken(app, new URL(url).searchParams.get("token") ?? "") };
}

test("an optional email can be stopped by one click, its kind alone, and twice is once", async () => {
  const email = await sent("usage-full");
  const { wanted } = await linkIn(email?.headers);
  expect(email?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(wanted).toEqual({ subject: "usage", recipient: mara.account.id });
  if (!wanted) throw new Error("not our link");
  expect(await findUnsubscribed(app, wanted)).toEqual([]);
  await app.db.batch([unsubscribe(app, wanted), unsubscribe(app, wanted)]);
  expect((await findAccount(app.db, mara.account.id))[0]?.emailsOff).toEqual(["usage"]);
  expect(await findUnsubscribed(app, wanted)).toHaveLength(1);
  expect(await sent("usage-full")).toBeUndefined();
  expect(await sent("renewal-notice")).toBeDefined();
});

test("an email that has to be read, and one to nobody that we know, has no such link", async () => {
  expect((await sent("receipt"))?.headers).toBeUndefined();
  expect((await sent("usage-full", "nobody-we-know@example.com"))?.headers).toBeUndefined();
});
