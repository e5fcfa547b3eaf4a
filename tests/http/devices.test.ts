import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { youWords } from "#app/routes/you.words.ts";
import { product } from "#app/product.config.ts";
import { free, pages, small } from "#tests/support/catalogue.ts";
import { buySmall, ordersOf, signUp } from "#tests/support/customer.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const { account } = pages;

/** Reads the key off the page, as its owner would. */
async function keyOf(visitor: Visitor): Promise<string> {
  await visitor.open(account);
  await visitor.press("Show the key");
  return /\b([0-9A-Z]{4}-){7}[0-9A-Z]{5}\b/.exec(visitor.html)?.[0] ?? "no key";
}

async function activate(licenceKey: string, name: string) {
  const body = JSON.stringify({ licenceKey, fingerprint: name, name, platform: "Linux" });
  const headers = { "Content-Type": "application/json", "CF-IPCountry": "DE" };
  const answer = await site.fetch("/api/v1/devices", { method: "POST", headers, body });
  return { status: answer.status, ...((await answer.json()) as { deviceToken: string; entitlement: string }) };
}

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
  return [...visitor.html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, words = ""]) => words);
}

describe("the client in the README", () => {
  test("activates a machine, checks what it may do, goes on doing so without a net, and stops when its device is removed", async () => {
    const customer = await buySmall(site, "readme@example.com");
    const key = await keyOf(customer);
    const readme = readFileSync("README.md", "utf8");
    const client = /```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? "";
    const folder = mkdtempSync(join(tmpdir(), "foyer-client-"));
    try {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(resolve("node_modules/jose"), join(folder, "node_modules/jose"));
      // The audience is the segment of whatever is sold.
      writeFileSync(join(folder, "client.mjs"), client.replace(/audience: "[^"]+"/, `audience: "${product.segment}"`));
      const run = (given: string[], flags: string[] = []) =>
        promisify(execFile)(process.execPath, [...flags, join(folder, "client.mjs"), ...given], { cwd: folder });
      await expect(run([site.origin, "0000"])).rejects.toThrow("licence-key-refused: The licence key opens nothing");
      const noNet = [
        "--import",
        `data:text/javascript,globalThis.fetch = async () => { throw new TypeError("no net") }`,
      ];
      await expect(run([site.origin, key], noNet)).rejects.toThrow("no net");
      for (const flags of [[], [], noNet]) {
        expect((await run([`${site.origin}/`, key], flags)).stdout).toBe(
          `${small.id}, active: full access, ${small.limits.devices} devices\n`,
        );
      }
      await customer.post(await removalIn(customer));
      await expect(run([site.origin, key])).rejects.toThrow("token-refused");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("what a device may do", () => {
  test("follows the plan: bought, refunded, too many devices for what is left, and chosen among them", async () => {
    const address = "follows@example.com";
    const visitor = await signUp(site, address);
    const key = await keyOf(visitor);
    const { deviceToken } = await activate(key, "first");
    expect(await claims(deviceToken)).toMatchObject({ plan: free.id, state: "active", seats: { used: 1, of: 1 } });
    expect((await activate(key, "second")).status).toBe(409);

    await visitor.open(`/settings/upgrade?plan=${small.id}&interval=month`);
    await visitor.press(`Start ${small.name}`);
    const card = new URLSearchParams({ testCard: "4242424242424242" });
    const paid = await fetch(visitor.url, { method: "POST", redirect: "manual", body: card });
    await visitor.open(paid.headers.get("Location") ?? "");
    expect(await claims(deviceToken)).toMatchObject({ plan: small.id, seats: { used: 1, of: small.limits.devices } });
    const second = await activate(key, "second");
    expect(second.status).toBe(201);

    const [order] = await ordersOf(site, address);
    await site.stripe?.control("refund", { order: order?.id });
    expect(await claims(deviceToken)).toMatchObject({ plan: free.id, state: "over-limit", access: "full" });
    await visitor.open(account);
    expect(visitor.text()).toContain(`You have 2 devices, and ${free.name} has ${free.limits.devices} seat`);
    expect(visitor.text()).toContain("2 of 1 used");

    // What waits for its owner stands first.
    await visitor.open("/settings");
    expect(headings(visitor).slice(0, 2)).toEqual([youWords.en.devices.title, youWords.en.plan.title]);
    await visitor.post(await removalIn(visitor));
    expect(visitor.text()).toContain("The device is removed, and takes no seat any more.");
    const states = await Promise.all([deviceToken, second.deviceToken].map(claims));
    expect(states).toContainEqual(expect.objectContaining({ state: "active", seats: { used: 1, of: 1 } }));
    expect(states).toContain(401);
    await visitor.open("/settings");
    expect(headings(visitor).slice(0, 2)).toEqual([youWords.en.plan.title, youWords.en.devices.title]);
  });

  test("ends while its owner is leaving, and begins again when they are back", async () => {
    const visitor = await signUp(site, "leaves@example.com");
    const { deviceToken } = await activate(await keyOf(visitor), "laptop");
    await visitor.post({ intent: "delete" }, "/settings");
    expect(await claims(deviceToken)).toBe(401);
    await visitor.post({ intent: "restore" }, "/settings");
    expect(await claims(deviceToken)).toMatchObject({ state: "active" });
  });

  test("costs one round trip to the database on a real site, and so does an activation", async () => {
    const key = await keyOf(await signUp(site, "trips@example.com"));
    const { deviceToken } = await activate(key, "laptop");
    const answer = await ask(deviceToken);
    expect([answer.status, answer.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="1", d1-in-a-row;desc="1"']);
    const again = await site.fetch("/api/v1/entitlement", {
      headers: { Authorization: `Bearer ${deviceToken}`, "If-None-Match": answer.headers.get("ETag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });
});

describe("the page of devices", () => {
  test("takes two round trips, shows the key within fifteen minutes of a proof, and never by its address alone", async () => {
    const visitor = await signUp(site, "page@example.com");
    await visitor.open(`${account}?key`);
    // Nobody has asked for a key so far: a visit makes none.
    const database = await site.database();
    expect(
      await database
        .prepare(
          "select count(*) as keys from licence_keys where account_id = (select id from accounts where email = ?)",
        )
        .bind("page@example.com")
        .first("keys"),
    ).toBe(0);
    const key = await keyOf(visitor);
    await visitor.open(`${account}?key`);
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    expect(visitor.headers.get("Cache-Control")).toBe("no-store");
    expect(visitor.html).toContain(key);
    await database.exec("update sessions set proven_at = proven_at - 900000");
    await visitor.open(`${account}?key`);
    expect(visitor.html).not.toContain(key);
    await visitor.post({ intent: "rotate-key" });
    expect(visitor.path()).toMatch(/^\/verify\?request=/);
  });

  test("refuses what it doesn't know, and says so", async () => {
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
