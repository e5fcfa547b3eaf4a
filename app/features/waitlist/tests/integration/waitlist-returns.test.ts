import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { done, refused } from "#app/core/result.ts";
import { dayMs } from "#app/core/time/time.ts";
import { findUnsubscribed, unsubscribe } from "#app/modules/accounts/optional-emails.queries.server.ts";
import { readUnsubscribeToken, unsubscribeUrl } from "#app/modules/email/unsubscribe.rules.ts";
import { recordReturns } from "#app/modules/email/commands/record-returns.server.ts";
import { readOwnEmails } from "#app/modules/email/reads/read-own-emails.server.ts";
import { findPerson } from "#app/modules/operators/reads/find-person.server.ts";
import { showPerson } from "#app/modules/operators/reads/show-person.server.ts";
import { inviteNext } from "../../commands/invite-next.server.ts";
import { joinSignedIn } from "../../commands/join-waitlist.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { requeueEntry } from "../../commands/requeue-entry.server.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { confirmEntry } from "../../commands/confirm-entry.server.ts";
import { invitationLifeMs, reminderBeforeMs } from "../../invitations.rules.ts";
import { idOf } from "#tests/support/ids.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

const kinds = ["bounced", "complained", "unsubscribed"] as const;

let waitlist: WaitlistDriver;
let app: TestApp;
let people = 0;
let address = "";

beforeEach(async () => {
  await env.DB.prepare("delete from emails").run();
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
  people += 1;
  address = `came-back-${people}@example.com`;
  app.email = {
    send: async (email) => {
      app.emails.push(email);
      return done({ serviceId: `of-${email.id}` });
    },
  };
});

/** The newest email to the address comes back, or its owner clicks on Unsubscribe. */
async function comesBack(kind: (typeof kinds)[number]): Promise<void> {
  await app.settled();
  if (kind === "unsubscribed") return stopEmails();
  const serviceId = `of-${app.emails.findLast(({ to }) => to === address)?.id}`;
  await recordReturns(app, [{ kind, serviceId, address }]);
}

/** Twice, as a mailbox may post it. */
async function stopEmails(): Promise<void> {
  const entry = (await waitlist.rows()).find((row) => row.email_canonical === address);
  const link = await unsubscribeUrl(app, { subject: "waitlist", recipient: idOf("ent", entry?.id ?? "") });
  const wanted = await readUnsubscribeToken(app, new URL(link).searchParams.get("token") ?? "");
  if (wanted === null) throw new Error("not our link");
  await app.db.batch([unsubscribe(app, wanted), unsubscribe(app, wanted)]);
}

const invitedOf = async (using = app) => {
  const { ok, ...answer } = await inviteNext(using, 5);
  return ok && "value" in answer ? answer.value.people.map(({ email }) => email) : [];
};

describe.each(kinds)("an entry whose email %s", (kind) => {
  test("isn't invited, and those behind it are", async () => {
    await waitlist.waiting(address);
    await comesBack(kind);
    await waitlist.waiting(`behind-${people}@example.com`);
    app.pass(dayMs);
    expect(await invitedOf()).toEqual([`behind-${people}@example.com`]);
    await sweepWaitlist({ ...app, product: { ...app.product, invitationsPerDay: 9 } });
    expect(await waitlist.queued("waitlist-invited")).toBe(1);
  });

  test("isn't reminded of its invitation", async () => {
    await waitlist.waiting(address);
    app.pass(dayMs);
    expect(await invitedOf()).toEqual([address]);
    await env.DB.prepare("update emails set state = 'sent', service_id = 'of-invitation' where state = 'queued'").run();
    if (kind === "unsubscribed") await stopEmails();
    else await recordReturns(app, [{ kind, serviceId: "of-invitation", address }]);
    app.pass(invitationLifeMs - reminderBeforeMs);
    await sweepWaitlist(app);
    expect(await waitlist.queued("waitlist-reminder")).toBe(0);
  });

  test("isn't told that the gate is open", async () => {
    await waitlist.waiting(address);
    await comesBack(kind);
    await waitlist.waiting(`behind-${people}@example.com`);
    const before = await waitlist.queued("doors-open");
    await sweepWaitlist({ ...app, gate: { kind: "none" } });
    const informed = env.DB.prepare("select email_canonical from entries where gate = ? and told_at is not null");
    expect((await informed.bind(waitlist.gate).all()).results).toEqual([
      { email_canonical: `behind-${people}@example.com` },
    ]);
    expect(await waitlist.queued("doors-open")).toBeGreaterThan(before);
  });

  test("is invited again once it left and its address was confirmed again", async () => {
    const token = await waitlist.waiting(address);
    await comesBack(kind);
    await leaveWaitlist(app, token);
    app.pass(dayMs);
    await waitlist.waiting(address);
    app.pass(dayMs);
    expect(await invitedOf()).toEqual([address]);
  });

  test("is invited again once its owner has signed in and joins, or asks for a place that rests", async () => {
    const token = await waitlist.waiting(address);
    await comesBack(kind);
    await joinSignedIn(app, { email: address, state: "active" }, null);
    app.pass(dayMs);
    expect(await invitedOf()).toEqual([address]);
    await comesBack(kind);
    await waitlist.setState(address, "resting");
    await requeueEntry(app, token);
    expect(await invitedOf()).toEqual([address]);
  });

  test("reads that on its own page, and is invited again once it says there that it still wants to join", async () => {
    const token = await waitlist.waiting(address);
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", returned: null });
    await comesBack(kind);
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", returned: kind });
    expect(await requeueEntry(app, token)).toMatchObject({ ok: true });
    expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", returned: null });
    app.pass(dayMs);
    expect(await invitedOf()).toEqual([address]);
    await comesBack(kind);
    // It can join all the same.
    expect(await waitlist.entry(token)).toMatchObject({ state: "invited", returned: null });
  });

  test("is marked for operators, and an email that we didn't send leaves no mark", async () => {
    await waitlist.waiting(address);
    const returned = async () => {
      const person = await findPerson(app, address);
      return person.ok && "waitlist" in person.value ? person.value.waitlist : [];
    };
    if (kind !== "unsubscribed") await recordReturns(app, [{ kind, serviceId: "of-another", address }]);
    expect(await returned()).toMatchObject([{ returned: null }]);
    await comesBack(kind);
    expect(await returned()).toMatchObject([{ returned: kind }]);
  });
});

test("an entry whose email bounced is invited again once it asked for an email that doesn't; after a complaint it isn't", async () => {
  await waitlist.waiting(address);
  await comesBack("bounced");
  app.pass(dayMs);
  await waitlist.join(address);
  await comesBack("bounced");
  expect(await invitedOf()).toEqual([]);
  app.pass(dayMs);
  await waitlist.join(address);
  await comesBack("complained");
  await comesBack("bounced");
  app.pass(dayMs);
  await waitlist.join(address);
  expect(await invitedOf()).toEqual([]);
});

test("an entry whose address the email service refuses isn't invited until an email to it is taken", async () => {
  const token = await waitlist.waiting(address);
  const { send } = app.email;
  app.email.send = async () => refused({ reason: "address-refused" });
  app.pass(dayMs);
  await waitlist.join(address);
  await app.settled();
  expect(await waitlist.entry(token)).toMatchObject({ returned: "bounced" });
  expect(await invitedOf()).toEqual([]);
  app.email.send = send;
  app.pass(dayMs);
  await waitlist.join(address);
  await app.settled();
  expect(await invitedOf()).toEqual([address]);
});

test("an unconfirmed entry whose email bounced waits like any other once it is confirmed", async () => {
  const token = await waitlist.pending(address);
  await comesBack("bounced");
  expect(await confirmEntry(app, token)).toMatchObject({ ok: true });
  app.pass(dayMs);
  expect(await invitedOf()).toEqual([address]);
});

test.each([
  ["bounced", 0],
  ["complained", 1],
  ["unsubscribed", 1],
] as const)("of an entry whose email %s, the link to unsubscribe says so: %i", async (kind, count) => {
  await waitlist.waiting(address);
  await comesBack(kind);
  const [entry] = await waitlist.rows();
  const recipient = idOf("ent", entry?.id ?? "");
  expect(await findUnsubscribed(app, { subject: "waitlist", recipient })).toHaveLength(count);
});

test("an account reads that emails about its place are stopped, as long as it has one", async () => {
  const { account } = await new CodeDriver(app, address).signedIn();
  await joinSignedIn(app, account, null);
  const isSaid = async () => (await readOwnEmails(app, account.id)).stopped.length > 0;
  expect(await isSaid()).toBe(false);
  await comesBack("unsubscribed");
  const said: boolean[] = [];
  for (const state of ["waiting", "resting", "left"] as const) {
    await waitlist.setState(address, state);
    said.push(await isSaid());
  }
  expect(said).toEqual([true, true, false]);
});

test("an account's operators read why its place isn't invited", async () => {
  const { account } = await new CodeDriver(app, address).signedIn();
  await joinSignedIn(app, account, null);
  await comesBack("complained");
  const person = () => showPerson(app, { id: account.id, address: null });
  expect(await person()).toMatchObject({
    summary: { attention: [expect.stringContaining("isn't invited, since an email complained")] },
  });
  await waitlist.setState(address, "left");
  expect(await person()).toMatchObject({ summary: { attention: [] } });
});
