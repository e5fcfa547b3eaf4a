import type { AccountId } from "#app/core/id.ts";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { sealFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { deletedAddressHash } from "#app/modules/accounts/rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { attributeReferral } from "#app/modules/referrals/commands/attribute-referral.server.ts";
import { recordVisit } from "#app/modules/referrals/commands/record-visit.server.ts";
import { visitsPerNetworkMax, visitWindowMs } from "#app/modules/referrals/rules.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

let app: TestApp;
let people = 0;

beforeEach(() => {
  app = testApp();
});

async function anAccount(address?: string): Promise<AccountId> {
  people += 1;
  const id: AccountId = `acc_referrals_${people}`;
  await env.DB.prepare(`insert into accounts (id, state, email, email_canonical, locale, time_zone, terms_version, created_at)
    values (?1, 'active', ?2, ?2, 'en', 'Europe/Berlin', '', ?3)`)
    .bind(id, address ?? id, app.clock())
    .run();
  return id;
}

async function codeOf(accountId: AccountId): Promise<string> {
  return new URL((await look(app, accountId)).url ?? "").searchParams.get("ref") ?? "";
}

/** What the owner of a link sees. */
function look(by: Parameters<typeof showReferrals>[0], accountId: AccountId) {
  return showReferrals(by, accountId, { locale: "en", timeZone: "Europe/Berlin" });
}

function visited(by: TestApp, browser: Browser, code: string | null, viewerId: AccountId | null = null) {
  return recordVisit(by, browser.request(), code, viewerId);
}

let networks = 0;

function newIp(): string {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${networks % 250}`;
}

/** A browser that keeps its cookie, by default in a separate network. */
class Browser {
  private cookie = "";
  readonly ip: string;

  constructor(ip = newIp()) {
    this.ip = ip;
  }

  request(headers: Record<string, string> = {}): Request {
    const network = { "CF-Connecting-IP": this.ip };
    return new Request("https://site.example/", {
      headers: { ...headers, ...network, ...(this.cookie && { Cookie: this.cookie }) },
    });
  }

  async visit(
    code: string | null,
    viewerId: AccountId | null = null,
    { page, headers }: { page?: "landing" | "signup"; headers?: Record<string, string> } = {},
  ) {
    const noted = await recordVisit(app, this.request(headers), code, viewerId, page);
    if (noted.cookie) this.cookie = noted.cookie.split(";")[0] ?? "";
    await app.settled();
    return noted;
  }

  /** Opens the link and then another page. */
  async goOn(code: string) {
    await this.visit(code);
    return this.visit(null);
  }
}

async function referralsOf(friendId: AccountId) {
  const { results } = await env.DB.prepare("select referrer_id, state from referrals where friend_id = ?")
    .bind(friendId)
    .all();
  return results;
}

const nothing = { offer: null, code: null, carried: null, cookie: null };

describe("an account's referral link", () => {
  test("stays the same, and is created once for forty simultaneous first views", async () => {
    const owner = await anAccount();
    const offered = await Promise.all(Array.from({ length: 40 }, () => look(app, owner)));
    expect(new Set(offered.map((link) => link.url)).size).toBe(1);
    expect(offered[0]?.url).toMatch(new RegExp(`^${app.origin}/\\?ref=[0-9a-z]{10}$`));
    const counts = { visits: 0, signedUp: 0, paid: 0, waiting: 0, credited: 0 };
    expect(await look(app, owner)).toMatchObject({
      url: offered[0]?.url,
      counts,
      friends: [],
      lines: [],
    });
    expect(await codeOf(await anAccount())).not.toBe(await codeOf(owner));
  });

  test("isn't created for an account that is closed", async () => {
    const owner = await anAccount();
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(owner).run();
    expect(await look(app, owner)).toMatchObject({ url: null });
    expect(await env.DB.prepare("select * from referral_links where account_id = ?").bind(owner).first()).toBe(null);
  });

  test("shows visits and sign-ups, and for each friend the month and an initial, newest first", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    await attributeReferral(app, { friendId: await anAccount(), code, ip: null });
    app.pass(40 * dayMs);
    const named = await anAccount();
    await env.DB.prepare("update accounts set name = 'Mara' where id = ?").bind(named).run();
    await attributeReferral(app, { friendId: named, code, ip: null });
    await attributeReferral(app, { friendId: await anAccount(), code: await codeOf(await anAccount()), ip: null });
    await new Browser().goOn(code);
    const shown = await look(app, owner);
    expect(shown).toMatchObject({
      counts: { visits: 1, signedUp: 2, paid: 0 },
      cap: { used: 0, max: 12, again: null },
    });
    const nothingElse = { state: "signed-up", voidWhy: null, until: null, wasCredited: false };
    expect(shown.friends).toEqual([
      { who: { kind: "initial", letter: "M" }, month: "December 2026", ...nothingElse },
      { who: { kind: "initial", letter: "A" }, month: "November 2026", ...nothingElse },
    ]);
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(named).run();
    expect((await look(app, owner)).friends[0]).toMatchObject({ who: { kind: "closed" } });
  });
});

describe("a visit", () => {
  test("by a referral link shows the friend discount, and is counted once for a browser that goes on", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const browser = new Browser();
    const offer = { amountMinor: app.product.referral.friendDiscountMinor, currency: app.product.currency };
    expect(await browser.visit(code)).toMatchObject({ offer, code, cookie: expect.stringContaining("__Host-visit=") });
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 0 } });
    expect(await browser.visit(code)).toMatchObject({ offer, code, carried: null });
    expect(await browser.visit(code)).toEqual({ offer, code, carried: null, cookie: null });
    expect(await browser.visit(null)).toEqual({ offer, code, carried: null, cookie: null });
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 1 } });
  });

  test("of the sign-up is counted at once", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const browser = new Browser();
    const noted = await recordVisit(app, browser.request(), code, null, "signup");
    expect(noted).toMatchObject({ code, carried: null, cookie: expect.any(String) });
    await app.settled();
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 1 } });
  });

  test("by a machine shows the discount, keeps the code in the links, and stores nothing", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const stored = async () => (await env.VISITS.list()).keys.length;
    const before = await stored();
    const url = "https://site.example/";
    const requests = [
      new Request(url, { method: "HEAD" }),
      new Request(url, { headers: { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } }),
    ];
    for (const request of requests) {
      for (const page of ["landing", "signup"] as const) {
        expect(await recordVisit(app, request, code, null, page)).toMatchObject({ code, carried: code, cookie: null });
      }
    }
    await app.settled();
    expect(await stored()).toBe(before);
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 0 } });
  });

  test.each(["landing", "signup"] as const)(
    "of a page loaded in advance (%s) is stored, and counted when its browser goes on",
    async (page) => {
      const owner = await anAccount();
      const code = await codeOf(owner);
      const browser = new Browser();
      const inAdvance = (codeWanted: string | null) =>
        browser.visit(codeWanted, null, { page, headers: { "Sec-Purpose": "prefetch;prerender" } });
      // Its links carry the code as well: the browser may discard the cookie of a page that it hasn't shown.
      expect(await inAdvance(code)).toMatchObject({ code, carried: code, cookie: expect.any(String) });
      expect(await inAdvance(code)).toMatchObject({ code, carried: null, cookie: null });
      expect(await look(app, owner)).toMatchObject({ counts: { visits: 0 } });
      expect(await browser.visit(null)).toMatchObject({ code, cookie: expect.any(String) });
      expect(await look(app, owner)).toMatchObject({ counts: { visits: 1 } });
    },
  );

  test("is counted for each of forty simultaneous browsers", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    await Promise.all(Array.from({ length: 40 }, () => new Browser().goOn(code)));
    await app.settled();
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 40 } });
  });

  test("by the first link counts for as long as configured, then the next one does", async () => {
    const first = await anAccount();
    const second = await anAccount();
    const [firstCode, secondCode] = [await codeOf(first), await codeOf(second)];
    const browser = new Browser();
    await browser.visit(firstCode);
    app.pass(app.product.referral.attributionDays * dayMs - 1);
    expect(await browser.visit(secondCode)).toMatchObject({ code: firstCode });
    expect(await visited(app, browser, null)).toMatchObject({ code: firstCode });
    app.pass(1);
    expect(await visited(app, browser, null)).toMatchObject({ code: null });
    expect(await browser.visit(secondCode)).toMatchObject({ code: secondCode, cookie: expect.any(String) });
    expect(await browser.visit(null)).toMatchObject({ code: secondCode });
    expect(await look(app, second)).toMatchObject({ counts: { visits: 1 } });
  });

  test("with an unknown or malformed code, or while signed in, is ignored", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    for (const wrong of ["0000000000", "", "'", code.toUpperCase(), `${code}0`]) {
      expect(await new Browser().visit(wrong)).toEqual(nothing);
    }
    expect(await new Browser().visit(code, owner)).toEqual(nothing);
    expect(await new Browser().visit(code, await anAccount())).toEqual(nothing);
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 0 } });
  });

  test("by the link of a closed account isn't counted, and is replaced by the next", async () => {
    const departing = await anAccount();
    const browser = new Browser();
    await browser.visit(await codeOf(departing));
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(departing).run();
    expect(await browser.visit(null)).toEqual(nothing);
    const code = await codeOf(await anAccount());
    expect(await browser.visit(code)).toMatchObject({ code });
  });

  test("while KV is down shows the discount and stores nothing", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const down = () => Promise.reject(new Error("KV is down"));
    const forgetful = { ...app, visits: { ...app.visits, remember: down } };
    expect(await visited(forgetful, new Browser(), code)).toMatchObject({ code, carried: code, cookie: null });
    await app.settled();
    expect(await look(app, owner)).toMatchObject({ counts: { visits: 0 } });
  });

  test("above the network's hourly quota shows the discount, keeps the code in the link and writes nothing", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const writes = { kv: 0 };
    const remember: TestApp["visits"]["remember"] = (request, change) => {
      writes.kv += 1;
      return app.visits.remember(request, change);
    };
    const counting = { ...app, visits: { ...app.visits, remember } };
    const sameNetwork = (nth: number) => new Browser(`2001:db8:1:2::${nth.toString(16)}`);
    const noted = await Promise.all(Array.from({ length: 300 }, (_, nth) => visited(counting, sameNetwork(nth), code)));
    await app.settled();
    expect(noted.filter(({ cookie }) => cookie !== null)).toHaveLength(visitsPerNetworkMax);
    expect(noted.filter(({ carried }) => carried === code)).toHaveLength(300 - visitsPerNetworkMax);
    expect(new Set(noted.map((visit) => visit.code))).toEqual(new Set([code]));
    expect(writes.kv).toBe(visitsPerNetworkMax);
    expect(await visited(app, new Browser(), code)).toMatchObject({ cookie: expect.any(String) });
    app.pass(visitWindowMs);
    expect(await visited(app, sameNetwork(1), code)).toMatchObject({ carried: null, cookie: expect.any(String) });
  });
});

describe("a friend", () => {
  test("is attributed once, for any number of simultaneous sign-ups by two accounts' links", async () => {
    const codes = [await codeOf(await anAccount()), await codeOf(await anAccount())];
    const friendId = await anAccount();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        attributeReferral(app, { friendId, code: codes[number % 2] ?? "", ip: null }),
      ),
    );
    expect(answers.filter((answer) => answer === "attributed")).toHaveLength(1);
    expect(await referralsOf(friendId)).toHaveLength(1);
  });

  test("is referred by the account with the code, but not by its own code, an unknown one or that of a closed account", async () => {
    const owner = await anAccount();
    const code = await codeOf(owner);
    const friendId = await anAccount();
    expect(await attributeReferral(app, { friendId: owner, code, ip: null })).toBe("ignored");
    expect(await referralsOf(owner)).toEqual([]);
    expect(await attributeReferral(app, { friendId, code: "0000000000", ip: null })).toBe("ignored");
    expect(await attributeReferral(app, { friendId, code: "garbage", ip: null })).toBe("ignored");
    const departing = await anAccount();
    const departingCode = await codeOf(departing);
    await env.DB.prepare("update accounts set state = 'closed' where id = ?").bind(departing).run();
    expect(await attributeReferral(app, { friendId, code: departingCode, ip: null })).toBe("ignored");
    expect(await attributeReferral(app, { friendId, code, ip: null })).toBe("attributed");
    expect(await referralsOf(friendId)).toEqual([{ referrer_id: owner, state: "signed-up" }]);
  });
});

describe("an account is not a new friend if it", () => {
  const voidWhy = async (friendId: AccountId) =>
    env.DB.prepare("select state, void_why as why from referrals where friend_id = ?").bind(friendId).first();
  const sameMailbox = [
    ["m.ara@gmail.com", "mara@gmail.com"],
    ["nils@example.com", "nils+friend@example.com"],
    ["olga@googlemail.com", "o.l.g.a+2@gmail.com"],
    ["pia@xn--bcher-kva.example", "pia+1@xn--bcher-kva.example"],
  ] as const;

  test.each(sameMailbox)("has another spelling of the referrer's own address", async (own, other) => {
    const code = await codeOf(await anAccount(own));
    const friendId = await anAccount(other);
    await attributeReferral(app, { friendId, code, ip: null });
    expect(await voidWhy(friendId)).toEqual({ state: "void", why: "self" });
  });

  test("has an address that the referrer had before", async () => {
    const owner = await anAccount();
    const former = await sealFormerAddress(app, { id: owner, email: "quentin@example.com" });
    await env.DB.prepare("insert into former_addresses (id, account_id, sealed, left_at) values (?, ?, ?, 0)")
      .bind(former.id, owner, former.sealed)
      .run();
    const friendId = await anAccount("quentin+again@example.com");
    await attributeReferral(app, { friendId, code: await codeOf(owner), ip: null });
    expect(await voidWhy(friendId)).toEqual({ state: "void", why: "self" });
  });

  test("had an account that was erased, also with another spelling", async () => {
    const hash = await deletedAddressHash(app.pepper, "rosa@example.com");
    await env.DB.prepare("insert into deleted_addresses (address_hash, erased_at) values (?, 0)").bind(hash).run();
    const friendId = await anAccount("rosa+new@example.com");
    await attributeReferral(app, { friendId, code: await codeOf(await anAccount()), ip: null });
    expect(await voidWhy(friendId)).toEqual({ state: "void", why: "returned" });
  });

  test("referred its own referrer: of two that refer each other at the same time, one counts", async () => {
    const first = await anAccount("sven@example.com");
    const second = await anAccount("tove@example.com");
    const [ofFirst, ofSecond] = [await codeOf(first), await codeOf(second)];
    await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        attributeReferral(
          app,
          number % 2 === 0
            ? { friendId: first, code: ofSecond, ip: null }
            : { friendId: second, code: ofFirst, ip: null },
        ),
      ),
    );
    const rows = [...(await referralsOf(first)), ...(await referralsOf(second))];
    expect(rows.filter((row) => row["state"] === "signed-up")).toHaveLength(1);
    expect(rows.filter((row) => row["state"] !== "signed-up" && row["state"] !== "void")).toEqual([]);
  });
});

test("while the referral program is off, no link counts, and no sign-up by one", async () => {
  const owner = await anAccount();
  const code = await codeOf(owner);
  const off: TestApp = {
    ...app,
    product: { ...app.product, referral: { ...app.product.referral, state: "off" } },
  };
  expect(await visited(off, new Browser(), code)).toEqual(nothing);
  expect(await look(off, owner)).toMatchObject({ url: null });
  expect(await look(off, await anAccount())).toMatchObject({ url: null, counts: { visits: 0 } });
  const friendId = await anAccount();
  expect(await attributeReferral(off, { friendId, code, ip: null })).toBe("ignored");
  expect(await referralsOf(friendId)).toEqual([]);
});
