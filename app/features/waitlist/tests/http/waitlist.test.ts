import { beforeAll, describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { waitlistFeatureMessages } from "../../feature.messages.ts";
import { waitlistGateMessages } from "../../gate.messages.ts";
import { waitlistMessages } from "../../page/messages.ts";
import { waitlistEntryMessages } from "../../page/entry.messages.ts";
import { askForCode } from "#tests/support/clients/customers.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { aDay, large, pattern } from "#tests/support/billing/catalogue.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { waitlistVisitors, stateOf } from "./waitlist-visitors.ts";

const messages = waitlistMessages.en;
const gate = waitlistGateMessages.en;
const place = waitlistEntryMessages.en;
/** What people wait for. */
const what = `${product.name} ${large.name}`;

const site = useSite({ stripe: false });
const isFull = [/(waitlist:\s*["'`])open(["'`],\s*invitationsPerDay:)/, "$1full$2"] as const;
const line = waitlistVisitors(site);
/** The people in line, in the order in which they confirmed, each on the page of their entry. */
const people: Visitor[] = [];
const address = (number: number) => `w${number}@example.com`;
const person = (number: number) => people[number - 1] ?? people[0] ?? site.visitor();
const ranks = (...numbers: number[]) => Promise.all(numbers.map((number) => line.rank(person(number))));
const invitedSubject = subjectOf("waitlist-invited");
const reminderSubject = subjectOf("waitlist-reminder");

beforeAll(() => line.setTime(0));

/** One journey of eight people through the line of a plan, each test a part of it. */
describe("a place on the waitlist", () => {
  test("begins with a confirmation link by email: there is no entry in the queue before, and opening the link changes nothing", async () => {
    const request = await line.asked(address(1));
    expect(request.heading()).toBe(messages.sent.title);
    expect(request.text()).toContain(messages.sent.lead(address(1)));
    expect(request.url).not.toContain("@");
    // Another browser, or this one with a cookie of another shape.
    const elsewhere = await site.visitor().open("/waitlist?sent");
    expect(elsewhere.text()).toContain(messages.sent.lead(null));
    expect(await stateOf(site, address(1))).toBe("pending");
    const link = await line.linkTo(address(1), "confirm");
    // Used as the link of an entry's page it is unknown, since no entry is in line.
    await request.open(link.replace("confirm=", "entry="));
    expect(request.status).toBe(404);
    const other = await site.visitor().open(link);
    expect(other.text()).toContain(messages.confirm.open.lead("w•••@example.com"));
    expect(await stateOf(site, address(1))).toBe("pending");
    await other.press(messages.confirm.open.button);
    expect(other.heading()).toBe(place.waiting.title(what));
    expect(other.path()).toMatch(/^\/waitlist\?entry=[0-9a-z]{52}$/);
    expect(await line.rank(other)).toEqual([0, 0]);
    expect(other.headers.get("Cache-Control")).toBe("no-store");
    // It opens no session, and the second click leads to the same page.
    expect([...other.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
    const again = await site.visitor().open(link);
    await again.press(messages.confirm.confirmed.button);
    expect(again.url).toBe(other.url);
    people.push(other);
    // Asked for once more, the link is to the place: there is nothing to confirm.
    const resent = other.twin();
    await resent.open(other.url);
    await resent.press(place.resend);
    expect([resent.url, resent.heading()]).toEqual([other.url, place.waiting.title(what)]);
    // Not right after the email that confirmed it.
    expect(resent.text()).toContain(waitlistFeatureMessages.en.flashes["place-link-waits"]);
  });

  test("is behind earlier ones", async () => {
    for (let number = 2; number <= 8; number += 1) people.push(await line.joined(address(number)));
    expect(await ranks(1, 2, 7, 8)).toEqual([
      [0, 7],
      [1, 6],
      [6, 1],
      [7, 0],
    ]);
    // Joining once more changes nothing, and the email leads to it.
    await line.setTime(0, 0.1);
    await line.asked(address(8));
    const page = await site.visitor().open(await line.linkTo(address(8), "entry", 2));
    expect([page.url, await line.rank(page)]).toEqual([person(8).url, [7, 0]]);
  });

  test("moves five places for each friend who confirms, and shows both directions", async () => {
    const before = await site.visitor().open(line.shareLink(person(7)));
    expect(before.text()).toContain(messages.join.byFriend);
    await line.asked("friend@example.com", line.shareLink(person(7)));
    expect(await ranks(7)).toEqual([[6, 1]]);
    await line.setTime(0, 1.1);
    people.push(await line.joined("friend@example.com", line.shareLink(person(7))));
    expect(await ranks(7, 1, 2, 6, 8, 9)).toEqual([
      [1, 7],
      [0, 8],
      [2, 6],
      [6, 2],
      [7, 1],
      [8, 0],
    ]);
    const { ahead, friends } = place.movement;
    expect(person(7).text()).toContain(`${ahead(-5, product.locale)} ${friends(1)}`);
    expect(person(7).text()).toContain(place.friends.count(1));
    expect(person(2).text()).toContain(ahead(1, product.locale));
  });

  test("that is given up is closed and ended, and a new one at the end can be requested", async () => {
    const leaver = person(5);
    await leaver.press(place.leave.button);
    expect([leaver.path(), leaver.text()]).toEqual([
      "/waitlist",
      expect.stringContaining(waitlistFeatureMessages.en.flashes["left-waitlist"]),
    ]);
    expect(await ranks(4, 6, 8)).toEqual([
      [4, 3],
      [5, 2],
      [6, 1],
    ]);
    const page = await site.visitor().open(await line.linkTo(address(5), "confirm"));
    expect(page.heading()).toBe(messages.confirm.left.title());
    const rejoined = await line.joined(address(5));
    expect(await line.rank(rejoined)).toEqual([8, 0]);
    people[4] = rejoined;
  });

  test("that another entry also reaches through friends belongs to the one that confirmed first", async () => {
    await line.joined("friend2@example.com", line.shareLink(person(8)));
    // Five others came before the eighth and wait; in front of them, at the same place, is the seventh.
    expect(await ranks(1, 7, 8, 2)).toEqual([
      [0, 9],
      [1, 8],
      [2, 7],
      [3, 6],
    ]);
  });
});

describe("an invitation", () => {
  test("by the team goes to the first entry in the queue, is for its address, and is valid for five days", async () => {
    expect(await line.invite(1)).toBe(1);
    await site.runCron();
    const [email] = await site.emailsTo(address(1), 2);
    expect(email?.subject).toMatch(invitedSubject);
    const invited = await site.visitor().open(await line.linkTo(address(1), "entry", 2));
    expect(invited.heading()).toBe(place.invited.title(what));
    expect(invited.text()).toMatch(pattern`${place.invitation.until} ${aDay}`);
    expect(await ranks(7)).toEqual([[0, 8]]);
    await invited.press(place.invitation.button);
    expect(invited.path()).toMatch(pattern`^/signup\?plan=${large.id}&`);
    const { invitedFor, planByInvitation, byInvitation } = signupMessages.en;
    expect(invited.heading()).toBe(invitedFor.title(large.name));
    expect(invited.text()).toContain(invitedFor.address(address(1)));
    expect(invited.text()).not.toContain(planByInvitation(large.name));
    expect(invited.html).toContain(`value="${address(1)}"`);
    await askForCode(invited, "slip@example.com");
    expect([invited.status, invited.text()]).toEqual([
      409,
      expect.stringContaining(byInvitation.refusals["invitation-elsewhere"]),
    ]);
    await askForCode(invited, address(1));
    expect(invited.path()).toMatch(/^\/verify/);
    await invited.press(verifyMessages.en.change);
    expect(invited.text()).toContain(invitedFor.title(large.name));
  });

  test("is followed by one reminder, a day before its end", async () => {
    await line.setTime(3, 0.5);
    await site.runCron();
    expect(await line.subjectsTo(address(1), 2)).not.toContainEqual(expect.stringMatching(reminderSubject));
    await line.setTime(4, 1.5);
    for (let run = 0; run < 2; run += 1) await site.runCron();
    expect((await line.subjectsTo(address(1), 3)).filter((subject) => reminderSubject.test(subject))).toHaveLength(1);
  });

  test("that expired leaves its owner's place in the queue, and says so", async () => {
    await line.setTime(5, 1.2);
    const page = person(1);
    await page.open(page.url);
    expect(page.heading()).toBe(place.lapsed.title());
    await page.post({ intent: "accept" });
    expect([page.status, page.text()]).toEqual([409, expect.stringContaining(messages.refusals["invitation-over"])]);
    await site.runCron();
    expect(await ranks(1, 7)).toEqual([
      [0, 9],
      [1, 8],
    ]);
    expect(page.text()).toContain(place.missed);
  });

  test("is sent with the day's wave, to as many entries as configured, and not before its hour", async () => {
    expect(await stateOf(site, address(1))).toBe("waiting");
    await line.setTime(5, 4);
    for (let run = 0; run < 3; run += 1) await site.runCron();
    const database = await site.database();
    const invited = await database.prepare("select count(*) as n from entries where state = 'invited'").first("n");
    expect(invited).toBe(Math.min(10, product.invitationsPerDay));
    expect((await line.subjectsTo(address(1), 4)).filter((subject) => invitedSubject.test(subject))).toHaveLength(2);
    expect(await line.subjectsTo(address(7), 2)).toContainEqual(expect.stringMatching(invitedSubject));
  });

  test("that is missed twice makes the entry resting until its owner asks again", async () => {
    await line.setTime(10, 1.5);
    await site.runCron();
    await line.setTime(11, 0.5);
    await site.runCron();
    const page = await person(1).open(person(1).url);
    expect(page.heading()).toBe(place.resting.title(what));
    expect(await ranks(7)).toEqual([[0, 8]]);
    await page.press(place.wake.button);
    expect(page.heading()).toBe(place.waiting.title(what));
    expect(await ranks(1, 7)).toEqual([
      [0, 9],
      [1, 8],
    ]);
  });
});

test("a full list accepts no new entries, says so wherever one can join, and keeps every place", async () => {
  const full = await startSite({ stripe: false, replaced: [isFull] });
  try {
    const visitor = await full.visitor().open("/");
    expect(visitor.text()).toContain(gate.landing.plan.full);
    await visitor.open("/waitlist");
    expect(visitor.heading()).toBe(messages.shut["list-full"].title);
    await visitor.post({ email: "late@example.com", intent: "join" });
    expect(visitor.status).toBe(409);
    expect(await stateOf(full, "late@example.com")).toBe("null");
    await full.setGate("signup");
    expect((await visitor.open("/")).text()).toContain(gate.landing.fullNote);
    expect((await visitor.open("/signup")).text()).toContain(gate.signUp.full.text);
  } finally {
    await full.close();
  }
});
