import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { findUnsubscribed, unsubscribe } from "#app/modules/email/unsubscribe.queries.server.ts";
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
  return { url, wanted: await readUnsubscribeToken(app.pepper, new URL(url).searchParams.get("token") ?? "") };
}

test("an optional email can be stopped by one click, its kind alone, and twice is once", async () => {
  const email = await sent("usage-full");
  const { wanted } = await linkIn(email?.headers);
  expect(email?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(wanted).toEqual({ subject: "usage", recipient: mara.account.id });
  if (!wanted) throw new Error("not our link");
  expect(await findUnsubscribed(app.db, wanted)).toEqual([]);
  await app.db.batch([unsubscribe(app.db, wanted), unsubscribe(app.db, wanted)]);
  expect((await findAccount(app.db, mara.account.id))[0]?.emailsOff).toEqual(["usage"]);
  expect(await findUnsubscribed(app.db, wanted)).toHaveLength(1);
  expect(await sent("usage-full")).toBeUndefined();
  expect(await sent("renewal-notice")).toBeDefined();
});

test("the email that says that the wait is over has the link in its text as well, the same at each try", async () => {
  await env.DB.prepare(
    `insert into entries (id, gate, state, email, email_canonical, confirm_hash, entry_hash, share_code, created_at, confirm_expires_at, number, sort_number)
     values (?1, 'signup', 'waiting', ?1, ?1, ?1, ?1, ?1, 0, 0, ?2, ?2)`,
  )
    .bind(`ent_waits${people}@example.com`, 1000 + people)
    .run();
  const to = `ent_waits${people}@example.com`;
  const [first, second] = [await sent("doors-open", to), await sent("doors-open", to)];
  const { url } = await linkIn(first?.headers);
  expect(first?.text).toContain(url);
  expect(second?.headers).toEqual(first?.headers);
});

test("an email that has to be read, and one to nobody that we know, has no such link", async () => {
  expect((await sent("receipt"))?.headers).toBeUndefined();
  expect((await sent("doors-open", "nobody-we-know@example.com"))?.headers).toBeUndefined();
});
