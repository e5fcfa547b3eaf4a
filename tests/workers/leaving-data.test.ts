import { beforeAll, describe, expect, test } from "vitest";
import { requestCode } from "#app/domain/accounts/request-code.server.ts";
import { parseEmailAddress } from "#app/domain/kernel/email-address.ts";
import { CodeDriver } from "#tests/support/code-driver.ts";
import { gatherData } from "#app/domain/leaving/gather-data.server.ts";
import { dayMs, minuteMs } from "#app/domain/kernel/time.ts";
import { aPersonInEveryTable, everyRow, type Row, tables } from "#tests/support/person-rows.ts";
import { type TestApp, testApp } from "#tests/support/worker-app.ts";

/** Tables that nobody takes along, each with its reason. */
const notTakenAlong: Record<string, string> = {
  codes: "requests of the last day: hashes, and what stands in the account already",
  budget_uses: "keyed hashes that count mails and tries",
  wrong_streaks: "keyed hashes that count wrong tries",
  known_browsers: "keyed hashes of an address and a browser",
  tombstones: "keyed hashes of people who are gone",
  used_challenges: "hashes, of nobody",
  webhook_events: "the provider's news, by the provider's ids",
};

const mineBorn = Date.UTC(2020, 0, 1);
const theirsBorn = Date.UTC(2021, 0, 1);

let app: TestApp;
let file = "";
let rows: Record<string, Row[]> = {};

beforeAll(async () => {
  app = testApp();
  const mine = await aPersonInEveryTable(app, "mine", mineBorn);
  await aPersonInEveryTable(app, "theirs", theirsBorn);
  rows = await everyRow();
  file = JSON.stringify(await gatherData(app, mine.id));
});

/** The instant that only this person's rows of this table hold, as the file writes it. */
const instantOf = (born: number, index: number) => new Date(born + index * dayMs).toISOString();

describe("all my data", () => {
  test.each(tables.map((table, index) => [table.name, index] as const))(
    "%s is in it, or stays out for a reason",
    (name, index) => {
      const isIn = file.includes(instantOf(mineBorn, index));
      expect(isIn).toBe(!(name in notTakenAlong));
    },
  );

  test("holds nobody else's rows", () => {
    const theirs = Object.values(rows)
      .flat()
      .filter((row) => Object.values(row).includes("theirs@example.com"));
    expect(theirs.length).toBeGreaterThan(3);
    expect(file).not.toContain("theirs");
    for (const [index] of tables.entries()) expect(file).not.toContain(instantOf(theirsBorn, index));
  });

  test("names neither the friend who was brought nor the one who brought", () => {
    const { referrals } = JSON.parse(file) as { referrals: { brought: object[]; broughtBy: object[] } };
    expect(file).not.toContain("acc_mine_friend");
    expect([...referrals.brought, ...referrals.broughtBy].map((row) => Object.keys(row))).toEqual([
      ["state", "signedUpAt"],
      ["state", "signedUpAt"],
    ]);
  });

  test("holds no hashes, keys and sealed letters", () => {
    expect(JSON.stringify(rows)).toContain("mine:sessions.token_hash");
    expect(file).not.toMatch(/_hash|mails\.sealed|public_key|credential_id|codes\./);
  });

  test("is written for people: plain names, instants in ISO 8601, an order with its number, lines and moments", () => {
    const read = JSON.parse(file) as Record<string, never> & { orders: object[]; account: object };
    expect(Object.keys(read)).toEqual([
      ...["product", "writtenAt", "account", "preferences", "plan", "orders", "waitlist", "referrals", "mails"],
    ]);
    expect(read.account).toMatchObject({
      email: "mine@example.com",
      name: "mine:accounts.name",
      sessions: [{ device: "mine:sessions.device", state: "active" }],
      activities: [{ what: "mine:activities.what" }],
      addressChanges: [{ from: "mine:address_changes.from_email" }],
      formerAddresses: [{ address: "mine.before@example.com" }],
      passkeys: [{ name: "mine:passkeys.name" }],
    });
    expect(read.orders).toMatchObject([
      {
        number: expect.stringMatching(/^\d+-\d{6}$/),
        billedTo: { name: "mine:orders" },
        paidAt: expect.stringMatching(/^2020-\d\d-\d\dT00:00:00.000Z$/),
        lines: [{ description: "mine:order_lines.description" }],
        moments: [{ what: "mine:order_moments.what" }],
      },
    ]);
    expect(read["preferences"]).toMatchObject([{ chosen: { said: "mine:preferences" } }]);
  });
});

test("it doesn't say whether an address that somebody wished for has an account", async () => {
  const own = testApp();
  await new CodeDriver(own, "has-one@example.com").signedIn();
  const { account } = await new CodeDriver(own, "curious@example.com").signedIn();
  for (const wished of ["has-one@example.com", "has-none@example.com"]) {
    const address = parseEmailAddress(wished);
    if (!address) throw new Error("not an address");
    own.pass(minuteMs);
    const wish = { address, purpose: "change-email", browserToken: "curious", ip: "192.0.2.77", carried: {} } as const;
    expect((await requestCode(own, { ...wish, accountId: account.id, again: false })).ok).toBe(true);
  }
  await own.settled();
  const taken = JSON.stringify(await gatherData(own, account.id));
  // The mail to one's own address is in it, those to the wished-for ones are not.
  expect(taken.match(/"template":"[\w-]+"/g)).toEqual(['"template":"code"']);
});
