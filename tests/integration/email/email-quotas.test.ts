import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  networkQuotas,
  quotaNamesOf,
  sendGapMs,
  sendsFromNetworkMax,
  sendsPer32Max,
  sendsPer48Max,
  sendsPer56Max,
  sendsPerHourMax,
  sendsPerNetworkMax,
  siteQuota,
  siteQuotaName,
} from "#app/modules/accounts/codes/email-quotas.rules.ts";
import { codeLifeMs, codeQuotas } from "#app/modules/accounts/codes/rules.ts";
import { startCodesAtSending } from "#app/modules/accounts/codes/expiry.queries.server.ts";
import { releaseWaitingEmails } from "#app/modules/accounts/codes/commands/release-waiting-emails.server.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { declareWithdrawal } from "#app/modules/billing/withdrawals/commands/declare-withdrawal.server.ts";
import { listWaitingEmails } from "#app/modules/accounts/codes/everyone.queries.server.ts";
import { deliverDueEmails } from "#app/modules/email/commands/deliver-email.server.ts";
import { showRequest } from "#app/routes/verify/show-request.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { featureSamples } from "#tests/support/features.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let app: TestApp;
let reported: unknown[];
let networks = 0;
/** An IPv4 address that no other test has: only the mailbox counts. */
const ownNetwork = () => `198.51.${Math.floor((networks += 1) / 250)}.${networks % 250}`;

beforeEach(async () => {
  reported = [];
  app = testApp({ report: (error) => reported.push(error) });
  await emptyTables(
    "quota_uses",
    "emails",
    "waiting_emails",
    "withdrawals",
    "codes",
    ...featureSamples.flatMap(({ erasedTables }) => erasedTables),
  );
});

type Sender = { email: string; ip?: string };

/** Every form that emails an address which a visitor typed, and refuses when it can't. */
const forms = {
  "sign-in": ({ email, ip = ownNetwork() }: Sender) => new CodeDriver(app, email).ask({ purpose: "sign-in", ip }),
  "sign-up": ({ email, ip = ownNetwork() }: Sender) => new CodeDriver(app, email).ask({ purpose: "sign-up", ip }),
  "change of address": ({ email, ip = ownNetwork() }: Sender) =>
    new CodeDriver(app, email).ask({ purpose: "change-email", accountId: "acc_other", ip }),
};
const ofFeatures = featureSamples.flatMap(({ name, asksByEmail }) =>
  asksByEmail ? { name, send: ({ email, ip = ownNetwork() }: Sender) => asksByEmail(app, addressOf(email), ip) } : [],
);
const all = [...Object.values(forms), ...ofFeatures.map(({ send }) => send)];

/** Its email waits instead. */
function declare({ email, ip = ownNetwork() }: Sender) {
  const declaration = { name: "Mara", order: `2026-${(networks += 1)}`, email: addressOf(email) };
  return declareWithdrawal(app, declaration, { ip, accountId: null, isOwn: false });
}

function addressOf(email: string) {
  const address = parseEmailAddress(email);
  if (!address) throw new Error("not an address");
  return address;
}

/** Uses of a quota a minute ago. */
async function fill(name: string, count: number): Promise<void> {
  await env.DB.prepare(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?1)
     insert into quota_uses (id, quota, used_at) select 'fill_' || ?2 || i, ?2, ?3 from n`,
  )
    .bind(count, name, app.clock() - minuteMs)
    .run();
}

describe("a mailbox", () => {
  test.each(Object.entries(forms))(
    "that used up its hourly emails from %s gets none from any other form",
    async (_form, send) => {
      for (let nth = 0; nth < sendsPerHourMax; nth += 1) {
        await send({ email: "box@example.com" });
        app.pass(minuteMs);
      }
      await app.settled();
      expect(app.emails).toHaveLength(sendsPerHourMax);
      for (const other of all) await other({ email: "box@example.com" });
      await app.settled();
      expect(app.emails).toHaveLength(sendsPerHourMax);
      app.pass(hourMs);
      await forms["sign-in"]({ email: "box@example.com" });
      await app.settled();
      expect(app.emails).toHaveLength(sendsPerHourMax + 1);
    },
  );

  test.each([
    ["plus tags", (nth: number) => `box+${nth}@example.com`],
    [
      "Gmail's dots and other domain",
      (nth: number) => (nth % 2 ? `b.o${".".repeat(nth % 3 ? 1 : 0)}x@gmail.com` : `bo.x+${nth}@googlemail.com`),
    ],
  ])("is recognised by %s, also when forty forms are sent at the same time", async (_how, nameOf) => {
    const requests = Array.from({ length: 40 }, (_, nth) => all[nth % all.length]?.({ email: nameOf(nth) }));
    await Promise.all(requests);
    for (let round = 1; round < 20; round += 1) {
      app.pass(minuteMs);
      await all[round % all.length]?.({ email: nameOf(100 + round) });
    }
    await app.settled();
    expect(app.emails).toHaveLength(sendsPerHourMax);
  });

  test.each(ofFeatures)(
    "can use the form of the $name and request a code in the same half minute",
    async ({ send }) => {
      await send({ email: "quick@example.com" });
      expect(await forms["sign-up"]({ email: "quick@example.com" })).toMatchObject({ ok: true });
      expect(await forms["sign-up"]({ email: "quick@example.com" })).toMatchObject({ refusal: { reason: "too-soon" } });
    },
  );

  test("still gets a code for a known browser when strangers used up its quota, their network's and the site's", async () => {
    const ip = "2001:db8:1:2::1";
    const owner = new CodeDriver(app, "owner@example.com");
    await owner.signedIn();
    await fill((await codeQuotas(app.pepper, owner.address, "", ip)).stranger.emails, sendsPerHourMax);
    for (const { name, max } of [...(await networkQuotas(app.pepper, ip)), siteQuota(app.product)])
      await fill(name, max);
    app.pass(minuteMs);
    expect(await owner.ask({ purpose: "sign-in", browserToken: "stranger", ip })).toMatchObject({ ok: false });
    expect(await owner.ask({ purpose: "sign-in", ip })).toMatchObject({ ok: true });
  });

  test("has its counters erased under all names", async () => {
    await forms["sign-in"]({ email: "gone@example.com" });
    for (const { send } of ofFeatures) await send({ email: "gone@example.com" });
    const { stranger } = await codeQuotas(app.pepper, "gone@example.com", "", "");
    const { results } = await env.DB.prepare("select distinct quota from quota_uses").all<{ quota: string }>();
    const names = quotaNamesOf(stranger);
    const found = results.filter(({ quota }) => names.some((name) => quota === name || quota.startsWith(`${name}.`)));
    // A gap for each form, the mailbox, and its network's part for each form's sender.
    expect(found).toHaveLength(3 + 2 * ofFeatures.length);
  });
});

describe("a network", () => {
  let people = 0;
  /** How many emails are sent if each of this many /64 prefixes of one wider network requests up to twenty. */
  async function leave(count: number, ipOf: (nth: number) => string): Promise<number> {
    for (let nth = 0; nth < count; nth += 1)
      await all[nth % all.length]?.({ email: `p${(people += 1)}@example.com`, ip: ipOf(nth) });
    await app.settled();
    return app.emails.length;
  }

  test(`of a /56 gets ${sendsPer56Max} emails an hour, of a /48 ${sendsPer48Max}, from any of its /64 prefixes`, async () => {
    expect(await leave(sendsPer56Max + 10, (nth) => `2001:db8:1:${(nth % 0xff).toString(16)}::1`)).toBe(sendsPer56Max);
    expect(await leave(sendsPer48Max, (nth) => `2001:db8:1:${(0x100 + nth * 0x100).toString(16)}::1`)).toBe(
      sendsPer48Max,
    );
    const tooMany = { ok: false, refusal: { reason: "too-many-from-network", retryAt: app.clock() + hourMs } };
    for (const send of all)
      expect(await send({ email: "fresh@example.com", ip: "2001:db8:1:ffff::1" })).toEqual(tooMany);
    expect(await forms["sign-in"]({ email: "fresh@example.com", ip: "2001:db8:2::1" })).toMatchObject({ ok: true });
    app.pass(hourMs);
    expect(await forms["sign-in"]({ email: "again@example.com", ip: "2001:db8:1:ffff::1" })).toMatchObject({
      ok: true,
    });
  });

  test(`of a /32 gets ${sendsPer32Max}`, async () => {
    const widest = (await networkQuotas(app.pepper, "2001:db8::1")).find(({ max }) => max === sendsPer32Max);
    await fill(widest?.name ?? "", sendsPer32Max - 1);
    expect(await forms["sign-in"]({ email: "last@example.com", ip: "2001:db8:a::1" })).toMatchObject({ ok: true });
    for (const send of all) {
      const answer = await send({ email: "next@example.com", ip: "2001:db8:b::1" });
      expect(answer).toMatchObject({ refusal: { reason: "too-many-from-network" } });
    }
    expect(await forms["sign-in"]({ email: "next@example.com", ip: "2001:db9::1" })).toMatchObject({ ok: true });
  });
});

describe("a stranger with one network", () => {
  const attacker = "203.0.113.7";
  const mara = "mara@example.com";
  const sentTo = (to: string) => app.emails.filter((email) => email.to === to).length;

  test("gets so many emails to a mailbox that its owner, elsewhere and in any browser, still gets one, hour after hour", async () => {
    await new CodeDriver(app, mara).signedIn("sign-up", "home");
    for (let hour = 0; hour < 3; hour += 1) {
      app.pass(hourMs);
      for (let nth = 0; nth < 2 * sendsPerHourMax; nth += 1) {
        app.pass(minuteMs);
        await all[nth % all.length]?.({ email: mara, ip: attacker });
        await declare({ email: mara, ip: attacker });
      }
      app.pass(sendGapMs);
      expect(await forms["sign-in"]({ email: mara })).toMatchObject({ ok: true });
    }
  });

  test("from any of its addresses, also at the same moment as the owner", async () => {
    const requests = Array.from(
      { length: 40 },
      (_, nth) => () =>
        all[nth % all.length]?.({ email: `mara+${nth}@example.com`, ip: `2001:db8:1:${nth.toString(16)}::1` }),
    );
    const owner = () => forms["sign-in"]({ email: mara });
    const before = await Promise.all([...requests.slice(0, 20), owner, ...requests.slice(20)].map((send) => send()));
    expect(before[20]).toMatchObject({ ok: true });
    await app.settled();
    const toMailbox = app.emails.filter(({ to }) => /^mara(\+\d+)?@/.test(to));
    expect(toMailbox).toHaveLength(sendsFromNetworkMax + 1);
  });

  test("can't use up sign-in's emails by declarations, nor keep the owner's declaration or its confirmation", async () => {
    for (let nth = 0; nth < sendsPerNetworkMax; nth += 1) await declare({ email: mara, ip: attacker });
    await app.settled();
    expect(sentTo(mara)).toBe(sendsFromNetworkMax);
    expect(await declare({ email: mara })).toMatchObject({ ok: true, value: { isNew: true } });
    await app.settled();
    expect(sentTo(mara)).toBe(sendsFromNetworkMax + 1);
    for (let nth = 0; nth < sendsPerHourMax; nth += 1) {
      expect(await forms["sign-in"]({ email: mara })).toMatchObject({ ok: true });
      app.pass(sendGapMs);
    }
  });
});

describe("an email that waits", () => {
  test("is sent once its quotas have room, each once, and the outbox doesn't try it before", async () => {
    const count = 2 * sendsPerHourMax;
    for (let nth = 0; nth < count; nth += 1) await declare({ email: "mara@example.com" });
    await app.settled();
    const minute = async () => {
      app.pass(minuteMs);
      await Promise.all([releaseWaitingEmails(app), releaseWaitingEmails(app)]);
      await deliverDueEmails(app);
    };
    await minute();
    expect(app.emails).toHaveLength(sendsPerHourMax);
    app.pass(hourMs);
    for (let nth = 0; nth < 3; nth += 1) await minute();
    expect(app.emails).toHaveLength(count);
    expect(await env.DB.prepare("select * from waiting_emails").all()).toMatchObject({ results: [] });
  });
});

test("of emails that wait, the one that has waited longest is the first to be looked at", async () => {
  const waiting = (limit: number) => listWaitingEmails(app.db, app.clock() + hourMs, limit);
  for (let nth = 0; nth <= sendsPerHourMax; nth += 1) await declare({ email: "mara@example.com" });
  const [first] = await waiting(2);
  app.pass(minuteMs);
  await declare({ email: "mara@example.com" });
  expect(await waiting(2)).toHaveLength(2);
  expect(await waiting(1)).toEqual([first]);
});

describe("all strangers together", () => {
  test("are refused above their quota, in forms that need no account, and that is reported once an hour", async () => {
    const open = [forms["sign-up"], ...ofFeatures.map(({ send }) => send)];
    await fill(siteQuotaName, siteQuota(app.product).max - 1);
    expect(await forms["sign-up"]({ email: "last@example.com" })).toMatchObject({ ok: true });
    expect(reported).toEqual([]);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => open[nth % open.length]?.({ email: `n${nth}@example.com` })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ refusal: { reason: "too-many-from-site" } });
    await app.settled();
    expect(app.emails).toHaveLength(1);
    expect(reported.map(String)).toEqual([expect.stringContaining(`${siteQuota(app.product).max} emails`)]);
    app.pass(hourMs - minuteMs);
    expect(await forms["sign-up"]({ email: "later@example.com" })).toMatchObject({ ok: true });
    expect(reported).toHaveLength(1);
  });

  test("have as many as the config says", async () => {
    app.product = { ...app.product, emailLimits: { strangersPerHour: 2 } };
    const answers = [];
    for (const email of ["a@example.com", "b@example.com", "c@example.com"])
      answers.push((await forms["sign-up"]({ email })).ok);
    expect(answers).toEqual([true, true, false]);
  });

  test("can't stop codes of accounts: 250 addresses that use it all up, and everyone signs in, changes an address and gets a confirmation", async () => {
    const owner = new CodeDriver(app, "owner@example.com");
    const { account } = await owner.signedIn();
    app.emails.length = 0;
    const { max } = siteQuota(app.product);
    expect(250 * sendsPerNetworkMax).toBeGreaterThanOrEqual(max);
    await fill(siteQuotaName, max);
    app.pass(sendGapMs);
    expect(await owner.ask({ purpose: "sign-in", browserToken: "new", ip: ownNetwork() })).toMatchObject({ ok: true });
    const mover = new CodeDriver(app, "elsewhere@example.com");
    expect(
      await mover.ask({ purpose: "change-email", accountId: account.id, browserToken: "new", ip: ownNetwork() }),
    ).toMatchObject({ ok: true });
    expect(await declare({ email: "owner@example.com" })).toMatchObject({ ok: true });
    await app.settled();
    expect(app.emails.map(({ to }) => to)).toEqual(["owner@example.com", "elsewhere@example.com"]);
    // The confirmation that waits for it.
    expect(reported).toHaveLength(1);
    app.pass(hourMs);
    await releaseWaitingEmails(app);
    await deliverDueEmails(app);
    expect(app.emails).toHaveLength(3);
  });

  test("get the same answer and see the same page when they sign in without an account, but no email", async () => {
    await fill(siteQuotaName, siteQuota(app.product).max);
    const nobody = new CodeDriver(app, "nobody@example.com");
    const answer = await nobody.ask({ purpose: "sign-in", ip: ownNetwork() });
    expect(answer).toMatchObject({ ok: true });
    await app.settled();
    await deliverDueEmails(app);
    expect(app.emails).toEqual([]);
    expect(reported).toHaveLength(1);
    const shown = await showRequest(app, answer.ok ? answer.value.requestId : null, "browser");
    expect(shown).toMatchObject({ kind: "here", delivery: "sent", over: null, expiresAt: app.clock() + codeLifeMs });
    await app.db.batch([startCodesAtSending(app.db, app.clock())]);
    app.pass(codeLifeMs);
    expect(await showRequest(app, answer.ok ? answer.value.requestId : null, "browser")).toMatchObject({
      over: "code-expired",
    });
  });
});
