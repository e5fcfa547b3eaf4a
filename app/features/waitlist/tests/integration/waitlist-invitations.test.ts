import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { dayMs, formatMoment, hourMs } from "#app/core/time/time.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { acceptInvitation } from "../../commands/accept-invitation.server.ts";
import { remindInvited } from "../../commands/remind-invited.server.ts";
import { requeueEntry } from "../../commands/requeue-entry.server.ts";
import { invitationLifeMs, reminderBeforeMs } from "../../invitations.rules.ts";
import { inviteNext, inviteToday } from "../../commands/invite-next.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { leftEntryRetentionMs } from "../../rules.ts";
import { sweepWaitlist } from "../../commands/sweep-waitlist.server.ts";
import { killedAtBatch } from "#tests/support/database/killed-worker.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import { watched, wholeReads } from "#tests/support/database/recording-database.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";

let waitlist: WaitlistDriver;
let app: TestApp;

beforeEach(async () => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
  await env.DB.prepare("delete from emails").run();
});

const forty = Array.from({ length: 40 }, (_, number) => number);

/** Twelve o'clock in UTC is an hour or two later in the product's time zone: the day's wave has begun. */
const perDay = (invitationsPerDay: number): TestApp => ({ ...app, product: { ...app.product, invitationsPerDay } });

const invited = async () => (await waitlist.states()).filter((each) => each.endsWith("invited")).length;

describe("an operator's wave", () => {
  test("goes to the next in the queue, each with an email that contains the deadline", async () => {
    const [first = "", second = "", third = ""] = await waitlist.crowd(3);
    await waitlist.waiting("friend@example.com", (await waitlist.entry(third)).shareCode);
    expect(await inviteNext(app, 2)).toMatchObject({ ok: true, value: { invited: 2 } });
    expect(await waitlist.states()).toEqual(["w1 invited", "w2 waiting", "w3 invited", "friend waiting"]);
    await deliverDueEmails(app);
    expect(waitlist.emailed("entry", "w1@example.com")).toBe(first);
    const email = app.emails.find(({ subject }) => subjectOf("waitlist-invited").test(subject));
    const until = formatMoment(app.clock() + invitationLifeMs, app.product);
    const [invitation = ""] = emailOf({ template: "waitlist-invited", what: gap, missesMax: 2, until, url: "" }).before;
    expect(email?.text).toMatch(fillGaps(invitation));
    expect(await waitlist.entry(first)).toMatchObject({
      state: "invited",
      ahead: null,
      invitedUntil: app.clock() + invitationLifeMs,
    });
    expect(await waitlist.entry(second)).toMatchObject({ state: "waiting", ahead: 0, behind: 1 });
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("skips entries under review, and invites no more than there are", async () => {
    await waitlist.crowd(3);
    await env.DB.prepare("update entries set review = 'under-review' where email = 'w1@example.com' and gate = ?")
      .bind(waitlist.gate)
      .run();
    expect(await inviteNext(app, 30)).toMatchObject({ ok: true, value: { invited: 2 } });
    expect(await waitlist.states()).toEqual(["w1 waiting", "w2 invited", "w3 invited"]);
    expect(await inviteNext(app, 30)).toMatchObject({ ok: true, value: { invited: 0 } });
  });

  test("is refused if there is no gate", async () => {
    const open = testApp({ gate: { kind: "none" } });
    expect(await inviteNext(open, 5)).toEqual({ ok: false, refusal: { reason: "no-gate" } });
  });

  test("requested forty times at the same time invites each entry once, with one email each", async () => {
    await waitlist.crowd(6);
    const answers = await Promise.all(forty.map(() => inviteNext(app, 3)));
    const counts = answers.map((answer) => (answer.ok ? answer.value.invited : 0));
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(6);
    expect(await invited()).toBe(6);
    expect(await waitlist.queued("waitlist-invited")).toBe(6);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("killed before or after its batch is consistent: invited entries have an email, and the others have none", async () => {
    await waitlist.crowd(2);
    const killed = (when: "before" | "after") => inviteNext({ ...app, db: killedAtBatch(app.db, 1, when) }, 1);
    await expect(killed("before")).rejects.toThrow("killed");
    expect([await invited(), await waitlist.queued("waitlist-invited")]).toEqual([0, 0]);
    await expect(killed("after")).rejects.toThrow("killed");
    expect([await invited(), await waitlist.queued("waitlist-invited")]).toEqual([1, 1]);
  });
});

describe("the cron job's wave", () => {
  test("invites the configured number a day, of the entries that waited when it began, from nine in the product's time zone", async () => {
    await waitlist.crowd(5);
    await waitlist.waiting("today@example.com");
    const early = { ...perDay(2), clock: () => app.clock() - 6 * hourMs };
    await inviteToday(early);
    expect(await invited()).toBe(0);
    for (let run = 0; run < 3; run += 1) await inviteToday(perDay(2));
    expect(await waitlist.states()).toEqual([
      "w1 invited",
      "w2 invited",
      "w3 waiting",
      "w4 waiting",
      "w5 waiting",
      "today waiting",
    ]);
    await inviteToday(perDay(40));
    expect(await waitlist.states()).toContain("today waiting");
    expect(await invited()).toBe(5);
    app.pass(dayMs);
    await inviteToday(perDay(40));
    expect(await waitlist.states()).toContain("today invited");
  });

  test.each([25, 7])(
    "of more than the %i that the config lets a run send is continued by the next one, and ends with the day's number",
    async (waitlistPerMinute) => {
      const limited = perDay(waitlistPerMinute + 3);
      limited.product = { ...limited.product, emailLimits: { waitlistPerMinute } };
      await waitlist.crowd(waitlistPerMinute + 8);
      await inviteToday(limited);
      expect(await invited()).toBe(waitlistPerMinute);
      await Promise.all(forty.map(() => inviteToday(limited)));
      await inviteToday(limited);
      expect(await invited()).toBe(waitlistPerMinute + 3);
    },
  );

  test("has what reminders leave of a run's emails, and the run sends as many as it queued", async () => {
    const limited = perDay(40);
    limited.product = { ...limited.product, emailLimits: { waitlistPerMinute: 30 } };
    await waitlist.crowd(33);
    await env.DB.prepare("delete from emails").run();
    app.emails.length = 0;
    await sweepWaitlist(limited);
    expect(await waitlist.queued("waitlist-invited")).toBe(30);
    await deliverDueEmails(limited);
    expect(app.emails).toHaveLength(30);
    app.pass(invitationLifeMs - reminderBeforeMs);
    await sweepWaitlist(limited);
    expect([await waitlist.queued("waitlist-reminder"), await waitlist.queued("waitlist-invited")]).toEqual([30, 30]);
    await sweepWaitlist(limited);
    expect(await waitlist.queued("waitlist-invited")).toBe(33);
  });

  test("run forty times at the same time doesn't exceed the day's number, and doesn't count operators' invitations", async () => {
    await waitlist.crowd(12);
    await inviteNext(app, 3);
    await Promise.all(forty.map(() => inviteToday(perDay(4))));
    expect(await invited()).toBe(7);
    expect(await waitlist.queued("waitlist-invited")).toBe(7);
    await inviteToday(perDay(0));
    await inviteToday({ ...perDay(40), gate: { kind: "none" } });
    expect(await invited()).toBe(7);
    expect(await waitlist.miscounts()).toEqual([]);
  });
});

describe("an invitation", () => {
  test("is followed by one reminder, a day before it ends, exact to the millisecond", async () => {
    const [token = ""] = await waitlist.crowd(1);
    await inviteNext(app, 1);
    app.pass(invitationLifeMs - reminderBeforeMs - 1);
    await sweepWaitlist(app);
    expect(await waitlist.queued("waitlist-reminder")).toBe(0);
    app.pass(1);
    await Promise.all(forty.slice(0, 5).map(() => sweepWaitlist(app)));
    await sweepWaitlist(app);
    expect(await waitlist.queued("waitlist-reminder")).toBe(1);
    await deliverDueEmails(app);
    expect(app.emails.at(-1)?.subject).toMatch(subjectOf("waitlist-reminder"));
    expect(waitlist.emailed("entry", "w1@example.com")).toBe(token);
  });

  test("that ends first has its reminder first, and one whose reminder fails holds up no other", async () => {
    await waitlist.crowd(3);
    for (let nth = 0; nth < 3; nth += 1) {
      await inviteNext(app, 1);
      app.pass(1);
    }
    app.pass(invitationLifeMs - reminderBeforeMs);
    const reminded = async () =>
      (
        await env.DB.prepare("select email_canonical as email from entries where gate = ? and reminded_at is not null")
          .bind(waitlist.gate)
          .all()
      ).results;
    await remindInvited(app, 1);
    expect(await reminded()).toEqual([{ email: "w1@example.com" }]);
    const reports: unknown[] = [];
    const { random } = app;
    let drawn = 0;
    const failing = (byteCount: number) => {
      if ((drawn += 1) === 1) throw new Error("no randomness");
      return random(byteCount);
    };
    await remindInvited({ ...app, random: failing, report: (error) => reports.push(error) }, 2);
    expect([await reminded(), reports.length]).toEqual([[{ email: "w1@example.com" }, { email: "w3@example.com" }], 1]);
  });

  test("can be opened any number of times until its last millisecond", async () => {
    const [token = ""] = await waitlist.crowd(1);
    expect(await acceptInvitation(app, token, null)).toEqual({ ok: false, refusal: { reason: "not-invited" } });
    await inviteNext(app, 1);
    const planId = waitlist.gate.slice("plan:".length);
    app.pass(invitationLifeMs - 1);
    for (let click = 0; click < 2; click += 1) {
      expect(await acceptInvitation(app, token, null)).toEqual({ ok: true, value: { planId } });
    }
    app.pass(1);
    expect(await acceptInvitation(app, token, null)).toEqual({ ok: false, refusal: { reason: "invitation-over" } });
    expect(await waitlist.entry(token)).toMatchObject({ state: "lapsed" });
    expect(await waitlist.rows()).toMatchObject([{ state: "invited" }]);
  });

  test("is for its own address, which a visitor signed in to another account is shown", async () => {
    const [token = ""] = await waitlist.crowd(1);
    await inviteNext(app, 1);
    expect(await acceptInvitation(app, token, { canonical: "w1@example.com" })).toMatchObject({ ok: true });
    const elsewhere = { ok: false, refusal: { reason: "invitation-elsewhere" } };
    expect(await acceptInvitation(app, token, { canonical: "w2@example.com" })).toEqual(elsewhere);
  });

  test("that expires returns the entry to its place; after the second one the entry is resting until its owner asks", async () => {
    const [first = "", second = ""] = await waitlist.crowd(2);
    for (const missed of [1, 2]) {
      await inviteNext(app, 1);
      app.pass(invitationLifeMs - 1);
      await sweepWaitlist(app);
      expect(await waitlist.entry(first)).toMatchObject({ state: "invited" });
      expect(await waitlist.entry(second)).toMatchObject({ ahead: 0 });
      app.pass(1);
      await Promise.all(forty.slice(0, 5).map(() => sweepWaitlist(app)));
      const after = missed === 1 ? { state: "waiting", ahead: 0, missed } : { state: "resting", ahead: null, missed };
      expect(await waitlist.entry(first)).toMatchObject(after);
      expect(await waitlist.entry(second)).toMatchObject({ ahead: missed === 1 ? 1 : 0 });
    }
    expect(await inviteNext(app, 2)).toMatchObject({ ok: true, value: { invited: 1 } });
    expect(await waitlist.entry(second)).toMatchObject({ state: "invited" });
    await Promise.all(forty.map(() => requeueEntry(app, first)));
    expect(await waitlist.entry(first)).toMatchObject({ state: "waiting", ahead: 0, missed: 0 });
    await inviteNext(app, 1);
    expect(await waitlist.entry(first)).toMatchObject({ state: "invited" });
    expect(await waitlist.queued("waitlist-invited")).toBe(4);
    expect(await waitlist.miscounts()).toEqual([]);
  });

  test("is suspended while another gate is in force, or none", async () => {
    const [token = ""] = await waitlist.crowd(1);
    await inviteNext(app, 1);
    app.pass(2 * invitationLifeMs);
    for (const gate of [{ kind: "signup" }, { kind: "plan", planId: "golden" }] as const) {
      await sweepWaitlist({ ...app, gate });
      expect(await waitlist.rows()).toMatchObject([{ state: "invited" }]);
      expect(await acceptInvitation({ ...app, gate }, token, null)).toEqual({
        ok: false,
        refusal: { reason: "no-gate" },
      });
    }
  });

  test("that is used, left and expires at the same time, forty times, ends in one state with correct counts", async () => {
    const tokens = await waitlist.crowd(8);
    await inviteNext(app, 8);
    app.pass(invitationLifeMs - 1);
    const late = { ...app, clock: () => app.clock() + 1 };
    await Promise.all(
      forty.flatMap((number): Promise<unknown>[] => {
        const token = tokens[number % 8] ?? "";
        return number % 3 === 0
          ? [leaveWaitlist(app, token), acceptInvitation(app, token, null)]
          : [acceptInvitation(app, token, null), sweepWaitlist(late), inviteNext(late, 2)];
      }),
    );
    expect(await waitlist.miscounts()).toEqual([]);
    const states = await waitlist.states();
    expect(states).toHaveLength(8);
    expect(states.filter((each) => !/(left|waiting|invited)$/.test(each))).toEqual([]);
  });

  test("can't be used by an unknown link, and the link reactivates only a resting entry", async () => {
    const [token = ""] = await waitlist.crowd(1);
    const unknown = { ok: false, refusal: { reason: "link-unknown" } };
    expect(await acceptInvitation(app, "x".repeat(52), null)).toEqual(unknown);
    expect(await requeueEntry(app, "x".repeat(52))).toEqual(unknown);
    await leaveWaitlist(app, token);
    expect(await acceptInvitation(app, token, null)).toEqual({ ok: false, refusal: { reason: "not-invited" } });
    expect(await requeueEntry(app, token)).toEqual({ ok: false, refusal: { reason: "place-is-over" } });
  });
});

test.each([
  ["waitlist-reminder", 3, () => inviteNext(app, 2).then(() => app.pass(invitationLifeMs - reminderBeforeMs))],
  [
    "waitlist-joined",
    1,
    () => Promise.all(["w1", "w2"].map((name) => waitlist.setState(`${name}@example.com`, "joined"))),
  ],
  ["doors-open", 0, async () => (app.gate = { kind: "none" })],
])("whose %s can't be written is reported, and delays no others", async (template, places, prepare) => {
  // When a gate opens, all lines are emailed: this one is the only one.
  await env.DB.prepare("delete from entries").run();
  await waitlist.crowd(3);
  await prepare();
  const [bad] = await waitlist.rows();
  await env.DB.prepare(
    `create trigger broken before insert on emails when new.id like 'mail_${bad?.id}.%' begin select raise(abort, 'broken'); end`,
  ).run();
  const reported: unknown[] = [];
  await sweepWaitlist({ ...perDay(1), report: (error) => reported.push(error) });
  await env.DB.prepare("drop trigger broken").run();
  const emailed = await waitlist.queued(template);
  expect([reported.length, emailed > 0, await invited()]).toEqual([1, true, places]);
  await sweepWaitlist(app);
  expect(await waitlist.queued(template)).toBe(emailed + 1);
});

test("the cron job reads only what it needs, never a whole queue", async () => {
  await waitlist.crowd(3);
  await inviteNext(app, 1);
  app.pass(invitationLifeMs);
  const { statements, using } = watched(perDay(1));
  await sweepWaitlist(using);
  const open = watched({ ...perDay(1), gate: { kind: "none" } });
  await sweepWaitlist(open.using);
  expect(statements.length).toBeGreaterThan(8);
  // A raw statement is prepared once for a batch, and once more if it runs alone.
  const requests = [...statements, ...open.statements].filter(
    ({ query, values }) => (query.match(/\?/g)?.length ?? 0) === values.length,
  );
  expect(requests.length).toBeGreaterThan(10);
  const reads = await wholeReads(requests);
  // The first five hundred in line are examined.
  expect(reads.filter(({ detail }) => detail !== "SCAN front")).toEqual([]);
});

test("an entry that was left is deleted after thirty days, exact to the millisecond", async () => {
  const [first = ""] = await waitlist.crowd(2);
  await leaveWaitlist(app, first);
  app.pass(leftEntryRetentionMs);
  await sweepWaitlist(app);
  expect(await waitlist.rows()).toHaveLength(2);
  app.pass(1);
  await sweepWaitlist(app);
  expect(await waitlist.states()).toEqual(["w2 waiting"]);
  expect(await waitlist.miscounts()).toEqual([]);
});
