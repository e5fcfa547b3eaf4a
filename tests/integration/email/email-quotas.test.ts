import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  quotaNamesOf,
  sendsOfSiteMax,
  sendsPer32Max,
  sendsPer48Max,
  sendsPer56Max,
  sendsPerHourMax,
  siteQuota,
  strangerQuotas,
} from "#app/modules/codes/email-quotas.rules.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { parseEmailAddress } from "#app/core/text/email-address.ts";
import { hourMs, minuteMs } from "#app/core/time/time.ts";
import { declareWithdrawal } from "#app/modules/withdrawals/commands/declare-withdrawal.server.ts";
import { joinWaitlist } from "#app/modules/waitlist/commands/join-waitlist.server.ts";
import { CodeDriver } from "#tests/support/clients/code-driver.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";
import { emptyTables } from "#tests/support/database/empty-tables.ts";

let app: TestApp;
let reported: unknown[];
let networks = 0;
/** An IPv4 address that no other test has: only the mailbox counts. */
const ownNetwork = () => `198.51.${Math.floor((networks += 1) / 250)}.${networks % 250}`;

beforeEach(async () => {
  reported = [];
  app = testApp({ report: (error) => reported.push(error) });
  await emptyTables("quota_uses", "emails", "withdrawals", "entries");
});

type Sender = { email: string; ip?: string };

/** Every form that emails an address which a visitor typed. */
const forms = {
  "sign-in": ({ email, ip = ownNetwork() }: Sender) => new CodeDriver(app, email).ask({ purpose: "sign-in", ip }),
  "sign-up": ({ email, ip = ownNetwork() }: Sender) => new CodeDriver(app, email).ask({ purpose: "sign-up", ip }),
  "change of address": ({ email, ip = ownNetwork() }: Sender) =>
    new CodeDriver(app, email).ask({ purpose: "change-email", accountId: "acc_other", ip }),
  waitlist: ({ email, ip = ownNetwork() }: Sender) => joinWaitlist(app, { address: addressOf(email), ref: null, ip }),
  withdrawal: ({ email, ip = ownNetwork() }: Sender) => {
    const declaration = { name: "Mara", order: `2026-${(networks += 1)}`, email: addressOf(email) };
    return declareWithdrawal(app, declaration, { ip, accountId: null, isOwn: false });
  },
};
const all = Object.values(forms);

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
      await forms.withdrawal({ email: "box@example.com" });
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

  test("can join the waitlist and request a code in the same half minute", async () => {
    await forms.waitlist({ email: "quick@example.com" });
    expect(await forms["sign-up"]({ email: "quick@example.com" })).toMatchObject({ ok: true });
    expect(await forms.withdrawal({ email: "quick@example.com" })).toMatchObject({ ok: true });
    expect(await forms["sign-up"]({ email: "quick@example.com" })).toMatchObject({ refusal: { reason: "too-soon" } });
  });

  test("still gets a code for a known browser when strangers used up its quota, their network's and the site's", async () => {
    const ip = "2001:db8:1:2::1";
    const owner = new CodeDriver(app, "owner@example.com");
    await owner.signedIn();
    await fill((await codeQuotas(app.pepper, owner.address, "")).stranger.emails, sendsPerHourMax);
    for (const { name, max } of await strangerQuotas(app.pepper, ip)) await fill(name, max);
    app.pass(minuteMs);
    expect(await owner.ask({ purpose: "sign-in", browserToken: "stranger", ip })).toMatchObject({ ok: false });
    expect(await owner.ask({ purpose: "sign-in", ip })).toMatchObject({ ok: true });
  });

  test("has its counters erased under all names", async () => {
    await forms["sign-in"]({ email: "gone@example.com" });
    await forms.waitlist({ email: "gone@example.com" });
    const { stranger } = await codeQuotas(app.pepper, "gone@example.com", "");
    // No code was tried.
    const names = quotaNamesOf(stranger).filter((name) => name !== stranger.tries);
    const { results } = await env.DB.prepare("select distinct quota from quota_uses").all<{ quota: string }>();
    expect(results.map(({ quota }) => quota)).toEqual(expect.arrayContaining(names));
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
    expect(await forms.waitlist({ email: "fresh@example.com", ip: "2001:db8:2::1" })).toMatchObject({ ok: true });
    app.pass(hourMs);
    expect(await forms.waitlist({ email: "again@example.com", ip: "2001:db8:1:ffff::1" })).toMatchObject({ ok: true });
  });

  test(`of a /32 gets ${sendsPer32Max}`, async () => {
    const widest = (await strangerQuotas(app.pepper, "2001:db8::1")).find(({ max }) => max === sendsPer32Max);
    await fill(widest?.name ?? "", sendsPer32Max - 1);
    expect(await forms["sign-in"]({ email: "last@example.com", ip: "2001:db8:a::1" })).toMatchObject({ ok: true });
    for (const send of all) {
      const answer = await send({ email: "next@example.com", ip: "2001:db8:b::1" });
      expect(answer).toMatchObject({ refusal: { reason: "too-many-from-network" } });
    }
    expect(await forms["sign-in"]({ email: "next@example.com", ip: "2001:db9::1" })).toMatchObject({ ok: true });
  });
});

describe("the site", () => {
  test("refuses unknown browsers above its quota, for any address and any form, and reports it once an hour", async () => {
    await fill(siteQuota.name, sendsOfSiteMax - 1);
    expect(await forms["sign-in"]({ email: "last@example.com" })).toMatchObject({ ok: true });
    expect(reported).toEqual([]);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => all[nth % all.length]?.({ email: `n${nth}@example.com` })),
    );
    for (const answer of answers) expect(answer).toMatchObject({ refusal: { reason: "too-many-from-site" } });
    await app.settled();
    expect(app.emails).toHaveLength(1);
    expect(reported.map(String)).toEqual([expect.stringContaining(`${sendsOfSiteMax} emails`)]);
    app.pass(hourMs - minuteMs);
    expect(await forms.waitlist({ email: "later@example.com" })).toMatchObject({ ok: true });
    expect(reported).toHaveLength(1);
  });
});
