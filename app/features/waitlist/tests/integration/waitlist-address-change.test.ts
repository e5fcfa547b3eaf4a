import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { revertAddress } from "#app/modules/accounts/commands/revert-address.server.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { findSignedIn } from "#app/modules/accounts/reads/find-signed-in.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { gatherData } from "#app/modules/closing/reads/gather-data.server.ts";
import { inviteNext } from "../../commands/invite-next.server.ts";
import { joinSignedIn } from "../../commands/join-waitlist.server.ts";
import { leaveWaitlist } from "../../commands/leave-waitlist.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { WaitlistDriver } from "../waitlist-driver.ts";
import type { TestApp } from "#tests/support/site/worker-app.ts";

let waitlist: WaitlistDriver;
let app: TestApp;
let people = 0;

beforeEach(() => {
  waitlist = new WaitlistDriver();
  ({ app } = waitlist);
  people += 1;
});

const own = (name: string) => `${name}-${people}@example.com`;

type Person = Viewer & { token: string };

/** The account's address is another from now on; returns the link that reverts it. */
async function move(person: Person, to: string): Promise<{ person: Person; link: string }> {
  app.pass(minuteMs);
  const driver = new CodeDriver(app, to);
  const request = await driver.asked("change-email", "browser", person.account.id);
  const proven = await driver.prove(request.requestId, request.digits, "browser", person.token);
  if (!proven.ok) throw new Error(`refused: ${proven.refusal.reason}`);
  await app.settled();
  const viewer = await findSignedIn(app, proven.value);
  if (!viewer) throw new Error("there is no session");
  const email = app.emails.findLast(
    ({ to: emailed, text }) => emailed === person.account.email && text.includes("?revert="),
  );
  return {
    person: { ...viewer, token: proven.value.sessionToken },
    link: /\?revert=(\w+)/.exec(email?.text ?? "")?.[1] ?? "",
  };
}

const places = async () =>
  (await waitlist.rows()).map(({ email_canonical, state }) => `${email_canonical} ${state}`).toSorted();

test("an entry follows its account to the next address, with its links, its friends and its emails, and is part of the data export", async () => {
  const [before, after] = [own("before"), own("after")];
  await waitlist.crowd(6);
  const person = await new CodeDriver(app, before).signedIn();
  const joined = await joinSignedIn(app, person.account, null);
  const token = joined.ok ? joined.value.entryToken : "";
  await waitlist.waiting(own("friend"), (await waitlist.entry(token)).shareCode);
  expect(await waitlist.entry(token)).toMatchObject({ ahead: 1, friends: 1 });
  const moved = await move(person, after);
  expect(await waitlist.entry(token)).toMatchObject({ state: "waiting", ahead: 1, friends: 1 });
  expect(await places()).toContain(`${after} waiting`);
  const data = await gatherData(app, moved.person);
  expect(JSON.stringify(data.ok && data.value)).toContain(`"email":"${after}"`);
  app.pass(dayMs);
  await inviteNext(app, 2);
  expect(
    await env.DB.prepare("select email from entries where entry_hash = ?")
      .bind(await hashToken(token))
      .first(),
  ).toEqual({ email: after });
  expect(await waitlist.miscounts()).toEqual([]);
});

test("reverting a change moves the entry back as well", async () => {
  const [mine, thiefs] = [own("mine"), own("thiefs")];
  const person = await new CodeDriver(app, mine).signedIn();
  await joinSignedIn(app, person.account, null);
  const { link } = await move(person, thiefs);
  expect(await places()).toEqual([`${thiefs} waiting`]);
  const back = await revertAddress(app, link, { device: "Safari on iOS", country: null });
  expect(back).toMatchObject({ ok: true });
  expect(await places()).toEqual([`${mine} waiting`]);
});

test("unconfirmed and ended entries at the new address are replaced, and a waiting one there stays, as does the other one", async () => {
  const [first, second, third] = [own("first"), own("second"), own("third")];
  const person = await new CodeDriver(app, first).signedIn();
  await waitlist.pending(second);
  const joined = await joinSignedIn(app, person.account, null);
  const moved = await move(person, second);
  expect(await places()).toEqual([`${second} waiting`]);
  const there = await waitlist.waiting(third);
  await leaveWaitlist(app, await waitlist.waiting(own("bystander")));
  const again = await move(moved.person, third);
  expect(await places()).toEqual([`${own("bystander")} left`, `${second} waiting`, `${third} waiting`].toSorted());
  expect(await waitlist.entry(there)).toMatchObject({ ahead: 1 });
  expect(await waitlist.entry(joined.ok ? joined.value.entryToken : "")).toMatchObject({ ahead: 0 });
  expect(again.person.account.email).toBe(third);
  expect(await waitlist.miscounts()).toEqual([]);
});

test("a change that is refused moves no entry", async () => {
  const [mine, taken] = [own("mine"), own("taken")];
  const person = await new CodeDriver(app, mine).signedIn();
  await joinSignedIn(app, person.account, null);
  const driver = new CodeDriver(app, taken);
  app.pass(minuteMs);
  const request = await driver.asked("change-email", "browser", person.account.id);
  await new CodeDriver(app, taken).signedIn("sign-up", "another browser").catch(() => undefined);
  const proven = await driver.prove(request.requestId, "00000000", "browser", person.token);
  expect(proven.ok).toBe(false);
  expect(await places()).toEqual([`${mine} waiting`]);
});
