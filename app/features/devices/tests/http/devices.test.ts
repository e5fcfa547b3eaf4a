import { segmentPath } from "#app/core/page-paths.ts";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { setTimeout as pause } from "node:timers/promises";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { problems } from "#app/api/problems.ts";
import { devicesFeatureMessages } from "../../feature.messages.ts";
import { devicesMessages } from "../../page/messages.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { dayMs, formatDay, hourMs, secondMs } from "#app/core/time/time.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { product } from "#app/product/config.ts";
import { activateDevice, licenceKeyOf, openCheckout, signUp, subscriber } from "#tests/support/clients/customers.ts";
import { free, pages, small } from "#tests/support/billing/catalogue.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { checkoutFields } from "#tests/support/billing/checkout-fields.ts";
import { asShown } from "#tests/support/clients/html.ts";

const site = useSite();

const { account } = pages;
const german = { "CF-IPCountry": "DE" };

const ask = (token: string) => site.fetch("/api/v1/entitlement", { headers: { Authorization: `Bearer ${token}` } });

async function claims(token: string) {
  const answer = await ask(token);
  return answer.status === 200 ? decodeJwt(((await answer.json()) as { token: string }).token) : answer.status;
}

/** The form that removes the first device on the page. */
async function removalIn(visitor: Visitor) {
  await visitor.open(account);
  const [device = ""] = /(?<=name="device" value=")dev_\w+/.exec(visitor.html) ?? [];
  return { intent: "remove-device", device };
}

function headings(visitor: Visitor): string[] {
  return [...visitor.html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading = ""]) => heading);
}

describe("the client in the guide to the product API", () => {
  /** The client as `client.mjs` in a separate folder; `at`: where its requests go instead of to the site. */
  function unpack() {
    const client = /```js\n([\s\S]+?)```/.exec(readFileSync("docs/guides/product-api.md", "utf8"))?.[1] ?? "";
    const folder = mkdtempSync(join(tmpdir(), "foyer-client-"));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve("node_modules/jose"), join(folder, "node_modules/jose"));
    writeFileSync(join(folder, "client.mjs"), client);
    const run = async (key: string, at = site.origin, clockAheadMs = 0) => {
      const detour = `const ask = fetch; globalThis.fetch = (url, init) => ask(url.replace("${site.origin}", "${at}"), init);
        const Clock = Date;
        globalThis.Date = class extends Clock {
          constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
          static now() { return Clock.now() + ${clockAheadMs}; }
        }`;
      const flags = ["--import", `data:text/javascript,${encodeURIComponent(detour)}`];
      const ended = await promisify(execFile)(process.execPath, [...flags, "client.mjs", `${site.origin}/`, key], {
        cwd: folder,
      });
      return ended.stdout;
    };
    return { run, remove: () => rmSync(folder, { recursive: true }) };
  }

  /** What a machine gets instead of the site during an outage. */
  async function standIn(answer: (response: ServerResponse) => void) {
    const server = createServer((_request, response) => answer(response)).listen(0, "localhost");
    await once(server, "listening");
    const address = server.address();
    return {
      origin: `http://localhost:${typeof address === "object" ? address?.port : 0}`,
      close: () => server.closeAllConnections(),
    };
  }

  const answerWith = (status: number, type: string, body: string) => (response: ServerResponse) =>
    response.writeHead(status, { "Content-Type": type }).end(body);
  const problem = "application/problem+json";

  test("activates a machine, checks its entitlement, and stops when its device is removed", async () => {
    const customer = await subscriber(site, "readme@example.com");
    const key = await licenceKeyOf(customer);
    const { run, remove } = unpack();
    try {
      await expect(run("0000")).rejects.toThrow(`licence-key-refused: ${problems["licence-key-refused"].title}`);
      await expect(run(key, "http://localhost:1")).rejects.toThrow("isn't activated yet");
      const printed = `${small.id}, active: full access, ${small.limits.devices} devices\n`;
      expect([await run(key), await run(key), await run(key, "http://localhost:1")]).toEqual([
        printed,
        printed,
        printed,
      ]);
      await customer.post(await removalIn(customer));
      await expect(run(key)).rejects.toThrow("token-refused");
      await expect(run(key, "http://localhost:1")).rejects.toThrow("isn't activated yet");
    } finally {
      remove();
    }
  });

  test("works with any clock once it reaches the site, and offline until a day has passed on that clock", async () => {
    const customer = await subscriber(site, "clocks@example.com");
    const key = await licenceKeyOf(customer);
    const { run, remove } = unpack();
    const yearsBehind = -10 * 365 * dayMs;
    const offline = (clockAheadMs: number) => run(key, "http://localhost:1", clockAheadMs);
    try {
      const printed = await run(key, site.origin, 25 * hourMs);
      expect([await offline(25 * hourMs), await offline(48 * hourMs)]).toEqual([printed, printed]);
      await expect(offline(49.1 * hourMs)).rejects.toThrow("exp");
      await expect(offline(26 * hourMs)).rejects.toThrow("set back");
      // A token that is newer is from another second.
      await pause(secondMs);
      expect(await run(key)).toBe(printed);
      for (const back of [-hourMs, yearsBehind]) await expect(offline(back)).rejects.toThrow("set back");
      await pause(secondMs);
      expect([await run(key, site.origin, yearsBehind), await offline(yearsBehind)]).toEqual([printed, printed]);
    } finally {
      remove();
    }
  });

  test("continues with the stored entitlement during any outage, and stops only at a refusal", async () => {
    const customer = await subscriber(site, "outages@example.com");
    const key = await licenceKeyOf(customer);
    const { run, remove } = unpack();
    try {
      const printed = await run(key);
      const outages: Record<string, (response: ServerResponse) => void> = {
        "a server that hangs": () => undefined,
        "a body that never ends": (response) =>
          void response.writeHead(200, { "Content-Type": "application/json" }).write("{"),
        "a connection that is cut": (response) => response.destroy(),
        "an outage behind a content delivery network": answerWith(522, "text/html", "<h1>Connection timed out</h1>"),
        "a captive portal": answerWith(200, "text/html", "<h1>Welcome to the hotel</h1>"),
        "a captive portal that speaks JSON": answerWith(200, "application/json", "{}"),
        "a token of another account": answerWith(200, "application/json", `{"token":"e30.e30.e30","keys":[]}`),
        "a proxy's refusal": answerWith(403, "text/html", "<h1>Blocked</h1>"),
        "an error of the site": answerWith(500, problem, `{"code":"broken"}`),
        "too many requests": answerWith(429, problem, `{"code":"too-many-requests"}`),
        "a body that arrived too slowly": answerWith(408, problem, `{"code":"body-too-slow"}`),
      };
      for (const [outage, answer] of Object.entries(outages)) {
        const server = await standIn(answer);
        expect([outage, await run(key, server.origin)]).toEqual([outage, printed]);
        server.close();
      }
      const refusal = await standIn(
        answerWith(401, problem, `{"code":"token-refused","title":"The token isn't valid"}`),
      );
      await expect(run(key, refusal.origin)).rejects.toThrow("token-refused: The token isn't valid");
      refusal.close();
    } finally {
      remove();
    }
  });
});

describe("an entitlement", () => {
  test("follows the plan when it is bought or refunded, when too many devices are left, and when some are chosen", async () => {
    const address = "follows@example.com";
    const visitor = await signUp(site, address);
    const key = await licenceKeyOf(visitor);
    const { deviceToken } = await activateDevice(site, key, "first", german);
    expect(await claims(deviceToken)).toMatchObject({ plan: free.id, state: "active", seats: { used: 1, of: 1 } });
    expect((await activateDevice(site, key, "second", german)).status).toBe(409);
    await visitor.open(account);
    expect(visitor.text()).not.toContain(devicesMessages.en.devices.another);

    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
    await openCheckout(visitor);
    const card = new URLSearchParams(checkoutFields("4242424242424242"));
    const paid = await fetch(visitor.url, { method: "POST", redirect: "manual", body: card });
    await visitor.open(paid.headers.get("Location") ?? "");
    expect(await claims(deviceToken)).toMatchObject({ plan: small.id, seats: { used: 1, of: small.limits.devices } });
    await visitor.open(account);
    expect(visitor.text()).toContain(devicesMessages.en.devices.another);
    for (const { href } of product.start.downloads) expect(visitor.html).toContain(`href="${href}"`);
    const second = await activateDevice(site, key, "second", german);
    expect(second.status).toBe(201);

    const [order] = await ordersOfCustomer(site, address);
    await site.stripe?.control("refund", { order: order?.id });
    expect(await claims(deviceToken)).toMatchObject({ plan: free.id, state: "over-limit", access: "full" });
    await visitor.open(account);
    const { over } = devicesMessages.en;
    expect(visitor.text()).toContain(over.title(2, free.name, free.limits.devices));
    expect(visitor.text()).toContain(`${devicesMessages.en.devices.active} ${usageMessages.en.countUsed(2, 1)}`);

    // Within the next minute its owner is emailed, and the page says until when, and which one would be removed.
    await site.runCron();
    const announced = await (
      await site.database()
    )
      .prepare(
        `select releases_at as at, locale, time_zone as timeZone from seat_reductions
         join accounts on accounts.id = account_id where email = ?`,
      )
      .bind(address)
      .first<{ at: number; locale: string; timeZone: string }>();
    const day = announced ? asShown(formatDay(announced.at, announced)) : "not announced";
    await visitor.open(account);
    expect(visitor.text()).toContain(over.text(product.name, 2 - free.limits.devices, day));
    expect(visitor.text()).toContain(devicesMessages.en.devices.goes(day));
    const isEmailed = async () => (await site.emailsTo(address, 3)).some(({ text }) => asShown(text).includes(day));
    await expect.poll(isEmailed).toBe(true);

    // What needs the owner's attention comes first.
    await visitor.open("/settings");
    expect(headings(visitor).slice(0, 2)).toEqual([overviewMessages.en.attention, free.name]);
    expect(visitor.text()).toContain(devicesFeatureMessages.en.counted.over(2, free.name, free.limits.devices, day));
    await visitor.open(segmentPath(product, "plan"));
    expect(visitor.text()).toContain(devicesFeatureMessages.en.counted.choose);
    await visitor.post(await removalIn(visitor));
    expect(visitor.text()).toContain(devicesFeatureMessages.en.flashes["device-removed"]);
    const states = await Promise.all([deviceToken, second.deviceToken].map(claims));
    expect(states).toContainEqual(expect.objectContaining({ state: "active", seats: { used: 1, of: 1 } }));
    expect(states).toContain(401);
    await visitor.open("/settings");
    expect(headings(visitor)[0]).toBe(free.name);
  });

  test("ends while the account is closed, and returns when it is restored", async () => {
    const visitor = await signUp(site, "leaves@example.com");
    const { deviceToken } = await activateDevice(site, await licenceKeyOf(visitor), "laptop", german);
    await visitor.post({ intent: "delete" }, "/settings/data");
    expect(await claims(deviceToken)).toBe(401);
    await visitor.post({ intent: "restore" }, "/settings");
    expect(await claims(deviceToken)).toMatchObject({ state: "active" });
  });

  test("takes one round trip to the database on a real site, like an activation", async () => {
    const key = await licenceKeyOf(await signUp(site, "trips@example.com"));
    const { deviceToken } = await activateDevice(site, key, "laptop", german);
    const answer = await ask(deviceToken);
    expect([answer.status, answer.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="1", d1-in-a-row;desc="1"']);
    const again = await site.fetch("/api/v1/entitlement", {
      headers: { Authorization: `Bearer ${deviceToken}`, "If-None-Match": answer.headers.get("ETag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});

describe("the page of devices", () => {
  test("logs each view of the key, within fifteen minutes of a re-authentication, and never shows it by its address alone", async () => {
    const visitor = await signUp(site, "page@example.com");
    await visitor.open(`${account}?key`);
    // No key has been shown so far: a visit creates none.
    const database = await site.database();
    expect(
      await database
        .prepare(
          "select count(*) as keys from licence_keys where account_id = (select id from accounts where email = ?)",
        )
        .bind("page@example.com")
        .first("keys"),
    ).toBe(0);
    const key = await licenceKeyOf(visitor);
    await visitor.open(`${account}?key`);
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="3", d1-in-a-row;desc="2"');
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    expect(visitor.html).toContain(key);
    await database.exec("update sessions set proven_at = proven_at - 900000");
    await visitor.open(`${account}?key`);
    expect(visitor.html).not.toContain(key);
    await visitor.post({ intent: "rotate-key" });
    expect(visitor.path()).toMatch(/^\/verify\?request=/);
  });

  test("refuses unknown input with a message", async () => {
    const visitor = await signUp(site, "refused@example.com");
    for (const [fields, status] of [
      [{ intent: "nothing" }, 422],
      [{}, 422],
      [{ intent: "remove-device" }, 422],
      [{ intent: "remove-device", device: "x".repeat(101) }, 422],
      [{ intent: "remove-device", device: "dev_none" }, 404],
    ] as const) {
      await visitor.post(fields, account);
      expect(visitor.status).toBe(status);
    }
  });
});
