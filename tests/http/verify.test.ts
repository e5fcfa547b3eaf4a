import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "#tests/support/site.ts";
import type { Visitor } from "#tests/support/visitor.ts";

let site: Site;
let people = 0;

beforeAll(async () => {
  site = await startSite({ stripe: false });
});
afterAll(() => site.close());

function nextAddress(): string {
  people += 1;
  return `person-${people}@example.com`;
}

async function signedUp(address = nextAddress()): Promise<{ visitor: Visitor; address: string }> {
  const visitor = await site.visitor().open("/signup");
  await visitor.press("Send me a code", { email: address, terms: "on" });
  await visitor.press("Confirm", { code: await site.codeTo(address) });
  await letTimePass();
  return { visitor, address };
}

/** Mails and tries of the last hour are forgotten. */
async function letTimePass(): Promise<void> {
  const db = await site.database();
  await db.exec("delete from budget_uses");
}

async function outdateProofs(minutes = 15): Promise<void> {
  const db = await site.database();
  await db.exec(`update sessions set proven_at = proven_at - ${minutes * 60_000}`);
}

type Code = { id: string; address: string; purpose: string; state: string; carried: string };

async function codes(): Promise<Code[]> {
  const db = await site.database();
  return (await db.prepare("select * from codes order by created_at, rowid").all<Code>()).results;
}

describe("a code", () => {
  test("for a new address, typed long after the last proof, asks for a new one and is still there afterwards", async () => {
    const { visitor, address } = await signedUp();
    const to = nextAddress();
    await visitor.open("/settings");
    await visitor.press("Change address", { email: to });
    const page = visitor.path();
    const digits = await site.codeTo(to);
    await outdateProofs(25);
    await visitor.press("Confirm", { code: digits });
    expect([visitor.status, visitor.heading()]).toEqual([200, "Confirm that it is you"]);
    await visitor.press("Confirm", { code: await site.codeTo(address, 2) });
    expect([visitor.path(), visitor.heading()]).toEqual([page, "Confirm your new address"]);
    await visitor.press("Confirm", { code: digits });
    expect(visitor.text()).toContain(`Signed in as ${to}.`);
  });
});

describe("a fresh proof", () => {
  /** Something that matters was asked for, and the page waits for a proof. */
  async function waiting(visitor: Visitor): Promise<Visitor> {
    await outdateProofs();
    return visitor.post({ intent: "delete" }, "/settings");
  }

  test("is asked for once more by its own account alone", async () => {
    const { visitor, address } = await signedUp();
    const { visitor: other } = await signedUp();
    await waiting(visitor);
    expect(visitor.heading()).toBe("Confirm that it is you");
    await letTimePass();
    const page = visitor.url;
    const own = visitor.cookies.get("__Host-session") ?? "";
    const before = await codes();
    for (const session of ["", other.cookies.get("__Host-session") ?? ""]) {
      visitor.cookies.set("__Host-session", session);
      await visitor.post({ intent: "resend" }, page);
      expect([visitor.status, visitor.text()]).toEqual([409, expect.stringContaining("Sign in here to the account")]);
    }
    expect(await codes()).toEqual(before);
    visitor.cookies.set("__Host-session", own);
    await visitor.post({ intent: "resend" }, page);
    expect(visitor.text()).toContain("A new code is on its way.");
    await visitor.press("Confirm", { code: await site.codeTo(address, 3) });
    expect(visitor.path()).toMatch(/^\/settings\?continue=req_\w+#leaving$/);
  });
});
