import { signUp } from "#tests/support/clients/customers.ts";
import { idOf } from "#tests/support/ids.ts";
import type { AccountId } from "#app/core/id.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { whileBroken, without } from "#tests/support/database/damage.ts";
import { type Address, addresses } from "#tests/support/site/addresses.ts";
import { useSite } from "#tests/support/site/use-site.ts";

/**
 * Pages are read by what the session's cookie claims, while the table is asked whether the session is active. The
 * answer is only sent if it is: this tests that for every address there is.
 */
const email = "mara.lindqvist@example.com";
const session = "__Host-session";

let pass: string;
let accountId: AccountId;

const site = useSite({ stripe: false });
beforeAll(async () => {
  pass = (await signUp(site, email, "")).cookies.get(session) ?? "";
  accountId = idOf("acc", pass.split(".")[1] ?? "");
});
beforeEach(async () => {
  const database = await site.database();
  await database.exec("update sessions set state = 'active', ended_at = null");
});

function ask(path: string, cookie: string): Promise<Response> {
  return site.fetch(path, { headers: { Cookie: `${session}=${cookie}` } });
}

/** Every way to request an address: the page, its data, and the data of each of its layers alone. */
function waysTo({ path, dataPath, id }: Address): string[] {
  const layers = ["root", "routes/settings/layout", id];
  return [path, dataPath, ...layers.map((layer) => `${dataPath}?_routes=${encodeURIComponent(layer)}`)];
}

const behind = addresses.filter(({ pattern }) => pattern.startsWith("/settings"));

describe("a session that has ended", () => {
  test.each(behind)("shows nothing at $pattern, with any method or format", async (address) => {
    const database = await site.database();
    const current = await Promise.all(waysTo(address).map((way) => ask(way, pass)));
    expect(current.filter(({ headers }) => headers.get("Location")?.startsWith("/login"))).toEqual([]);
    await database.exec("update sessions set state = 'signed-out'");
    for (const way of waysTo(address)) {
      const answer = await ask(way, pass);
      const text = await answer.text();
      expect([way, text.includes(email), text.includes(accountId)]).toEqual([way, false, false]);
      const to = way === address.path ? (answer.headers.get("Location") ?? "") : text;
      // React Router asks with the page's own address, whichever layer it wants.
      expect([way, to]).toEqual([way, expect.stringContaining("/login?redirectTo=")]);
    }
  });

  test("counts as signed out on public pages", async () => {
    const database = await site.database();
    await database.exec("update sessions set state = 'revoked'");
    for (const { path } of addresses.filter(({ pattern }) => !pattern.startsWith("/settings"))) {
      const text = await (await ask(path, pass)).text();
      expect([path, text.includes(email), text.includes(accountId)]).toEqual([path, false, false]);
    }
  });
});

describe("a foreign cookie", () => {
  const forged: [string, () => Promise<string>][] = [
    ["names another account", async () => pass.replace(accountId, await otherAccount())],
    ["has another token", async () => pass.replace(/^\w+/, "a".repeat(52))],
    ["has another hash", async () => pass.replace(/\w+$/, "a".repeat(52))],
    ["has no hash", async () => pass.replace(/\.\w+$/, "")],
    ["is a token alone", async () => pass.split(".")[0] ?? ""],
    ["is dots", async () => ".."],
  ];

  test.each(forged)("that %s counts as signed out, without reading the database", async (_how, forge) => {
    const answer = await ask("/settings", await forge());
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login?redirectTo=%2Fsettings"]);
    expect(answer.headers.get("Server-Timing")).toBe('d1;desc="0", d1-in-a-row;desc="0"');
  });

  async function otherAccount(): Promise<string> {
    return ((await signUp(site, "other@example.com", "")).cookies.get(session) ?? "").split(".")[1] ?? "";
  }
});

test("a session shows only the account that its cookie names", async () => {
  const own = (await signUp(site, "third@example.com", "")).cookies.get(session) ?? "";
  const database = await site.database();
  await database
    .prepare("update sessions set account_id = ? where account_id = ?")
    .bind(accountId, own.split(".")[1])
    .run();
  const answer = await ask("/settings", own);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login?redirectTo=%2Fsettings"]);
});

describe("while sessions can't be checked,", () => {
  test.each(behind)("$pattern shows nothing", async (address) => {
    await whileBroken(site, without("sessions"), async () => {
      for (const way of waysTo(address)) {
        const answer = await ask(way, pass);
        const text = await answer.text();
        expect([way, answer.status, text.includes(email)]).toEqual([way, 500, false]);
      }
    });
  });
});
