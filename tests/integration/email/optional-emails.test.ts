import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { changeProfile } from "#app/modules/accounts/commands/change-profile.server.ts";
import { switchEmails } from "#app/modules/accounts/commands/switch-emails.server.ts";
import { findAccount } from "#app/modules/accounts/queries.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { gatherData } from "#app/modules/closing/reads/gather-data.server.ts";
import { deliverDueEmails, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { kindOf, type EmailKind, emailKinds } from "#app/modules/email/rules.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { samples } from "../../../scripts/mail-preview/samples.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let mara: Viewer;
let people = 0;

beforeEach(async () => {
  app = testApp();
  people += 1;
  mara = await new CodeDriver(app, `Mara.${people}@example.com`).signedIn();
  await app.settled();
  app.emails.length = 0;
});

const contents = Object.values(samples).map(([content]): EmailContent => content);
const all = { renewals: true, rewards: true, usage: true };

/** Which email templates, one of each kind, the outbox accepts for this address. */
async function arrived(to = mara.account.email): Promise<string[]> {
  const queued = await Promise.all(contents.map((content) => sealEmail(app, to, content)));
  await env.DB.exec("delete from emails");
  await app.db.batch(queued.map((email) => addEmail(app.db, email)) as [ReturnType<typeof addEmail>]);
  const { results } = await env.DB.prepare("select template from emails").all<{ template: string }>();
  return results.map(({ template }) => template).toSorted();
}

const templates = (isWanted: (kind: EmailKind | null) => boolean) =>
  contents.flatMap(({ template }) => (isWanted(kindOf(template)) ? [template] : [])).toSorted();

async function offOf(viewer: Viewer): Promise<EmailKind[]> {
  const [row] = await findAccount(app.db, viewer.account.id);
  return row?.emailsOff ?? [];
}

describe("optional emails", () => {
  test("are all sent until they are switched off", async () => {
    expect(await arrived()).toEqual(templates(() => true));
    expect(await arrived("nobody@example.com")).toEqual(templates(() => true));
  });

  test.each(emailKinds)(
    "about %s are refused by the outbox for an account that has switched them off, and no others are",
    async (kind) => {
      await switchEmails(app, mara, { ...all, [kind]: false });
      const others = templates((candidate) => candidate !== kind);
      expect(others.length).toBeLessThan(contents.length);
      expect(await arrived()).toEqual(others);
      expect(await arrived("nobody@example.com")).toEqual(templates(() => true));
      await switchEmails(app, mara, all);
      expect(await arrived()).toEqual(templates(() => true));
    },
  );

  test("are all off while codes, receipts and other necessary emails are still sent", async () => {
    await switchEmails(app, mara, { renewals: false, rewards: false, usage: false });
    const needed = templates((kind) => kind === null);
    expect(needed).toContain("receipt");
    expect(await arrived()).toEqual(needed);
    // Each run of the cron job sends a few.
    for (let runs = 0; runs < 3; runs += 1) await deliverDueEmails(app);
    expect(app.emails).toHaveLength(needed.length);
  });

  test("that are queued already aren't sent once they are switched off, even to another spelling of the address", async () => {
    const queued = await Promise.all(
      contents.map((content) => sealEmail(app, mara.account.email.toUpperCase(), content)),
    );
    await env.DB.exec("delete from emails");
    await app.db.batch(queued.map((email) => addEmail(app.db, email)) as [ReturnType<typeof addEmail>]);
    await switchEmails(app, mara, { renewals: false, rewards: false, usage: false });
    for (let runs = 0; runs < 3; runs += 1) await deliverDueEmails(app);
    const needed = templates((kind) => kind === null);
    const { results } = await env.DB.prepare("select template, state from emails").all<{
      template: string;
      state: string;
    }>();
    expect(results.map(({ template }) => template).toSorted()).toEqual(needed);
    expect(new Set(results.map(({ state }) => state))).toEqual(new Set(["sent"]));
    expect(app.emails).toHaveLength(needed.length);
  });

  test("are switched by the account's own session, while that is active", async () => {
    await env.DB.prepare("update sessions set state = 'revoked' where id = ?").bind(mara.session.id).run();
    await switchEmails(app, mara, { ...all, usage: false });
    expect(await offOf(mara)).toEqual([]);
  });

  test("stay as they are when the profile is saved, and are part of the data export", async () => {
    await switchEmails(app, mara, { ...all, rewards: false });
    await changeProfile(app, mara, { name: "Mara", timeZone: "UTC" });
    expect(await offOf(mara)).toEqual(["rewards"]);
    expect(await gatherData(app, mara)).toMatchObject({ value: { account: { mailsOff: ["rewards"] } } });
  });
});
