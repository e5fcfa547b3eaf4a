import type { EmailId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { unseal } from "#app/core/seal.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { deliverDueEmails, deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { emailRetentionMs, retryWaitsMs, tryLeaseMs } from "#app/modules/email/rules.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { cronJobs } from "#workers/cron.ts";

let app: TestApp;
const address = "mara.secret@example.com";
const content = {
  template: "code",
  purpose: "sign-up",
  code: "40712836",
  validMs: 600_000,
  url: "https://a.example/verify",
} as const;

beforeEach(async () => {
  app = testApp();
  await env.DB.exec("delete from emails");
});

type Row = {
  id: string;
  state: string;
  sealed: string | null;
  tries: number;
  next_try_at: number | null;
  sent_at: number | null;
};

async function queue(cause?: string): Promise<EmailId> {
  const email = await sealEmail(app, address, content, cause);
  await app.db.batch([addEmail(app.db, email)]);
  return email.id;
}

async function row(id: string): Promise<Row | null> {
  return env.DB.prepare("select * from emails where id = ?").bind(id).first<Row>();
}

/** What the table still contains of an email that failed. */
async function storedOf(id: string): Promise<unknown> {
  return JSON.parse(await unseal(app.pepper, (await row(id))?.sealed ?? ""));
}

async function rows(): Promise<Row[]> {
  return (await env.DB.prepare("select * from emails order by id").all<Row>()).results;
}

/** A transport that stops half-way: `go` lets the newest attempt finish. */
function heldBack(ok: boolean) {
  const waiting: (() => void)[] = [];
  const held: TestApp = {
    ...app,
    email: {
      send: async (email) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return ok ? app.email.send(email) : { ok: false, refusal: { reason: "email-down" } };
      },
    },
  };
  return { held, go: () => waiting.pop()?.(), isTrying: () => waiting.length };
}

/** A Worker that is killed in the middle of an attempt, before or after the email was sent. */
function killed(after: boolean): TestApp {
  return {
    ...app,
    email: {
      send: async (email) => {
        if (after) await app.email.send(email);
        throw new Error("killed");
      },
    },
  };
}

describe("a queued email", () => {
  test("isn't readable in the table: neither its address nor its code or link", async () => {
    const id = await queue();
    const held = JSON.stringify(await row(id));
    for (const secret of [address, "mara", "40712836", "4071", "verify"]) expect(held).not.toContain(secret);
    expect(await row(id)).toMatchObject({ state: "queued", tries: 0, next_try_at: app.clock() });
  });

  test("is sent once by forty simultaneous deliveries, and then erased", async () => {
    const id = await queue();
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => deliverEmail(app, id)));
    expect(outcomes.filter((outcome) => outcome === "sent")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "absent")).toHaveLength(39);
    expect(app.emails).toMatchObject([{ to: address, subject: expect.stringContaining("40712836") }]);
    const done = { state: "sent", sealed: null, tries: 1, next_try_at: null, sent_at: app.clock() };
    expect(await row(id)).toMatchObject(done);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(1);
  });

  test("with a cause is queued once by forty simultaneous requests", async () => {
    await Promise.all(Array.from({ length: 40 }, () => queue("ord_1.paid")));
    expect((await rows()).map(({ id }) => id)).toEqual(["mail_ord_1.paid"]);
  });

  test("is sent by the cron job, twenty-five at a time with as many as features may send to many, and one that can't be decrypted doesn't delay the others", async () => {
    const reports: unknown[] = [];
    const strange = await sealEmail({ ...app, pepper: "another pepper" }, address, content);
    await app.db.batch([addEmail(app.db, { ...strange, now: app.clock() - 1 })]);
    for (let count = 0; count < 30; count += 1) await queue();
    const hooks = [{ name: "news", emailsPerMinute: () => 2 }];
    const sweeping = { ...app, hooks, report: (error: unknown) => reports.push(error) };
    await cronJobs.emails(sweeping);
    expect(app.emails).toHaveLength(26);
    expect(reports).toHaveLength(1);
    expect(await row(strange.id)).toMatchObject({ state: "failed", sealed: null, next_try_at: null });
    await cronJobs.emails(sweeping);
    expect(app.emails).toHaveLength(30);
    expect(reports).toHaveLength(1);
  });
});

describe("while the email service is down", () => {
  test("an email is retried at the specified times, exact to the millisecond, then failed and erased except for the recipient", async () => {
    app.isEmailDown = true;
    const id = await queue();
    const begun = app.clock();
    const triedAt: number[] = [];
    for (const wait of retryWaitsMs) {
      if (wait > 0) {
        app.pass(wait - 1);
        expect(await deliverEmail(app, id)).toBe("absent");
        app.pass(1);
      }
      expect(await deliverEmail(app, id)).toBe("not-sent");
      triedAt.push((app.clock() - begun) / minuteMs);
    }
    expect(triedAt).toEqual([0, 1, 3, 8, 23, 83, 263, 983]);
    expect(await row(id)).toMatchObject({ state: "failed", tries: 8, next_try_at: null, sent_at: null });
    expect(await storedOf(id)).toEqual({ to: address, content: null });
    app.isEmailDown = false;
    app.pass(dayMs);
    await deliverDueEmails(app);
    expect(app.emails).toEqual([]);
  });

  test("no email is lost: queued ones are sent at their next attempt once the service is back", async () => {
    app.isEmailDown = true;
    const ids = [await queue(), await queue()];
    await deliverDueEmails(app);
    expect(await rows()).toMatchObject([{ state: "queued" }, { state: "queued" }]);
    app.isEmailDown = false;
    await deliverDueEmails(app);
    expect(app.emails).toEqual([]);
    app.pass(minuteMs);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(2);
    for (const id of ids) expect(await row(id)).toMatchObject({ state: "sent", sealed: null });
  });
});

describe("a Worker that is killed", () => {
  test.each([
    ["before sending: the mail leaves when the lease is over", false, 1],
    ["between sending and noting it: the email is sent twice, rather than never", true, 2],
  ])("%s", async (_, after, copies) => {
    const id = await queue();
    await expect(deliverEmail(killed(after), id)).rejects.toThrow("killed");
    app.pass(tryLeaseMs - 1);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(copies - 1);
    app.pass(1);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(copies);
    expect(await row(id)).toMatchObject({ state: "sent", sealed: null, tries: 2 });
  });

  test("at the same email each time makes it fail after as many attempts as any other", async () => {
    const id = await queue();
    for (const _ of retryWaitsMs) {
      await expect(deliverEmail(killed(false), id)).rejects.toThrow("killed");
      app.pass(tryLeaseMs);
    }
    expect(await row(id)).toMatchObject({ state: "queued", tries: 8 });
    expect(await deliverEmail(killed(false), id)).toBe("not-sent");
    expect(await row(id)).toMatchObject({ state: "failed" });
    expect(await storedOf(id)).toEqual({ to: address, content: null });
  });
});

describe("an attempt that lost its lease", () => {
  test("and fails late doesn't affect the next attempt", async () => {
    const id = await queue();
    const first = heldBack(false);
    const slow = deliverEmail(first.held, id);
    await expect.poll(first.isTrying).toBe(1);
    app.pass(tryLeaseMs);
    const second = heldBack(true);
    const next = deliverEmail(second.held, id);
    await expect.poll(second.isTrying).toBe(1);
    const before = await row(id);
    first.go();
    expect(await slow).toBe("not-sent");
    expect(await row(id)).toEqual(before);
    second.go();
    expect(await next).toBe("sent");
    expect(app.emails).toHaveLength(1);
  });

  test("and succeeds late counts, even if the email had finally failed by then", async () => {
    const id = await queue();
    const { held, go, isTrying } = heldBack(true);
    const slow = deliverEmail(held, id);
    await expect.poll(isTrying).toBe(1);
    await env.DB.prepare("update emails set state = 'failed', sealed = null, next_try_at = null").run();
    go();
    expect(await slow).toBe("sent");
    expect(await row(id)).toMatchObject({ state: "sent", sent_at: app.clock() });
  });
});

test("rows of sent and failed emails are deleted after their retention, and queued ones stay", async () => {
  const sent = await queue();
  await deliverEmail(app, sent);
  app.pass(1);
  const younger = await queue();
  await deliverEmail(app, younger);
  const waiting = await queue();
  await env.DB.prepare("update emails set created_at = 0, next_try_at = ? where id = ?")
    .bind(app.clock() + 2 * emailRetentionMs, waiting)
    .run();
  app.pass(emailRetentionMs - 1);
  await cronJobs.emails(app);
  expect(await row(sent)).toMatchObject({ state: "sent" });
  app.pass(1);
  await cronJobs.emails(app);
  expect((await rows()).map(({ id }) => id).toSorted()).toEqual([younger, waiting].toSorted());
});
