import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { readEmails } from "#tests/support/site/site.ts";
import { Visitor } from "#tests/support/clients/visitor.ts";
import { addedTo, chaptersOfFeatures, countsOfFeatures } from "../../../scripts/demo/features.ts";
import { addressOf } from "../../../scripts/demo/address.ts";
import { startDemo, removeOldDemo } from "../../../scripts/demo/start-demo.ts";
import { momentOf } from "../../../scripts/demo/replay-demo.ts";
import { large, small } from "../../../scripts/demo/demo-events.ts";

const port = 12_000 + (process.pid % 10_000) * 2;
const origin = `http://localhost:${port}`;
const folder = mkdtempSync(join(tmpdir(), "foyer-demo-"));
/** People whose story is a feature's. */
const namesOfFeatures = chaptersOfFeatures.flatMap(({ people }) =>
  people.map(({ address }) => address.split("@")[0] ?? ""),
);
/** A few accounts, of every chapter, with a short history. With `DEMO_PEOPLE=`, as every night, all accounts and every promise. */
const chosen =
  process.env["DEMO_PEOPLE"] ?? ["jonas,bea,otto,milo,astrid,elin,ylva,nora,anton", ...namesOfFeatures].join(",");
const plays = (name: string) => chosen === "" || chosen.split(",").includes(name);
let site: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  site = await start();
}, 900_000);
afterAll(() => site.stop());

/** `npm start -- --demo`, once it is ready. */
async function start() {
  const args = ["start", "--", "--demo", "--port", String(port), "--persist-to", folder];
  const started: ChildProcess = spawn("npm", args, { stdio: "pipe", env: { ...process.env, DEMO_PEOPLE: chosen } });
  let output = "";
  started.stdout?.on("data", (text) => (output += text));
  started.stderr?.on("data", (text) => (output += text));
  const ended = once(started, "exit");
  while (!output.includes("Ctrl-C") && started.exitCode === null) await pause(50);
  if (started.exitCode !== null) throw new Error(output);
  return {
    output,
    stop: async () => {
      started.kill("SIGTERM");
      await ended;
    },
  };
}

type Data = {
  account: { state: string; name: string; locale: string; timeZone: string; createdAt: string; leavingUntil?: string };
  plan: { subscriptions: Record<string, string | number | null>[]; customers: { creditMinor: number }[] };
  orders: ({
    state: string;
    kind: string;
    dispute: string;
    number: string | null;
    paidAt: string | null;
    creditMinor: number;
  } & Record<string, unknown>)[];
  withdrawals: unknown[];
  cancellations: unknown[];
  referrals: { links: { visits: number }[]; brought: { state: string }[]; credit: unknown[] };
  devices: { activated: { state: string }[]; seatReductions: { state: string; releasesAt: string }[] };
};

const signedIn = new Map<string, Promise<Visitor>>();

/** Signs in by the code in the mailbox, once. */
function signIn(name: string): Promise<Visitor> {
  const visitor = signedIn.get(name) ?? signInByName(name);
  signedIn.set(name, visitor);
  return visitor;
}

async function signInByName(name: string): Promise<Visitor> {
  const address = addressOf(name);
  const visitor = new Visitor(origin, `198.18.0.${signedIn.size + 1}`);
  await visitor.open("/login");
  await askForCode(visitor, address);
  const [email] = await readEmails(origin, address, 1);
  return typeCode(visitor, /\b\d{8}\b/.exec(email?.subject ?? "")?.[0] ?? "");
}

/** Everything about an account, as its data export contains it. */
async function dataOf(visitor: Visitor): Promise<Data> {
  await visitor.post({}, "/settings/export");
  // The file's shape is the export's own; a wrong one fails the expectation.
  return JSON.parse(visitor.html) as Data;
}

const since = (months: number) => momentOf({ months }, Date.now());
const renewals = (count: number, state = "paid") => Array.from({ length: count }, () => ({ kind: "renewal", state }));
const start1 = { kind: "new-plan", state: "paid" };
const runs = (planId: string, interval: string, more = {}) => [{ state: "active", planId, interval, ...more }];

describe("each account has the listed state", () => {
  const promises: [string, object][] = [
    [
      "mara",
      { plan: { subscriptions: runs(small, "month") }, account: { locale: "en-GB", timeZone: "Europe/Stockholm" } },
    ],
    [
      "jonas",
      {
        plan: { subscriptions: runs(small, "year") },
        orders: [start1, { kind: "renewal", state: "paid", documents: [{ buyer: { vatIds: ["DE811234567"] } }] }],
      },
    ],
    ["amelie", { plan: { subscriptions: runs(large, "month") } }],
    ["sora", { plan: { subscriptions: runs(large, "year") }, account: { timeZone: "Asia/Tokyo" } }],
    ["greta", { plan: { subscriptions: runs(small, "year") }, orders: [start1] }],
    ["paul", { plan: { subscriptions: runs(small, "month") } }],
    ["hedda", { plan: { subscriptions: runs(small, "month", { collection: "on-hold" }) } }],
    ["freya", { plan: { subscriptions: [{ state: "paused", pauseCause: "requested" }] } }],
    ["runa", { plan: { subscriptions: [{ state: "paused", pauseCause: "system" }] } }],
    ["milan", { plan: { subscriptions: [{ state: "ended", endCause: "duplicate" }, { state: "active" }] } }],
    ["emil", { plan: { subscriptions: runs(small, "month", { comingMinor: expect.any(Number) }) } }],
    ["pia", { plan: { subscriptions: runs(large, "month", { pendingPlanId: small }) } }],
    ["tomas", { plan: { subscriptions: runs(small, "year", { pendingInterval: "month" }) } }],
    ["ines", { plan: { subscriptions: runs(small, "month", { cancelsAt: expect.any(String) }) } }],
    ["bram", { plan: { subscriptions: [{ state: "ended" }] }, orders: [start1, ...renewals(11)] }],
    ["lena", { plan: { subscriptions: [{ state: "paused" }] } }],
    ["bea", { plan: { subscriptions: [] }, orders: [{ state: "cancelled" }, { state: "expired" }] }],
    ["otto", { plan: { subscriptions: [] }, orders: [{ state: "failed" }] }],
    ["yara", { plan: { subscriptions: [] }, orders: [{ state: "needs-action" }] }],
    ["astrid", { plan: { subscriptions: [{ state: "active" }] }, orders: [{ state: "paid" }] }],
    [
      "signe",
      {
        plan: { subscriptions: runs(small, "month") },
        orders: [start1, ...renewals(11), ...renewals(1, "processing")],
      },
    ],
    ["milo", { plan: { subscriptions: [{ state: "incomplete" }] }, orders: [{ state: "processing" }] }],
    [
      "nadia",
      {
        plan: { subscriptions: [{ state: "past-due-grace" }] },
        orders: [start1, ...renewals(11), ...renewals(1, "failed")],
      },
    ],
    ["viktor", { plan: { subscriptions: [{ state: "past-due-locked" }] } }],
    ["henrik", { plan: { subscriptions: [{ state: "ended", endCause: "payment-failed" }] } }],
    ["karl", { plan: { subscriptions: [{ state: "unpaid" }] } }],
    ["alva", { plan: { subscriptions: [{ pauseCause: "first-payment-failed" }] } }],
    ["bruno", { plan: { subscriptions: [{ pauseCause: "final-payment-failed" }] } }],
    [
      "theo",
      {
        plan: { subscriptions: [{ state: "past-due-grace" }] },
        orders: [start1, ...renewals(11), ...renewals(1, "needs-action")],
      },
    ],
    ["rosa", { plan: { subscriptions: runs(small, "month") }, orders: [start1, ...renewals(13)] }],
    [
      "edith",
      {
        plan: { subscriptions: runs(large, "year") },
        orders: [
          { ...start1, documents: [{ kind: "invoice" }] },
          { kind: "change", state: "partially-refunded", documents: [{ kind: "invoice" }, { kind: "credit-note" }] },
        ],
      },
    ],
    ["elin", { plan: { subscriptions: [{ state: "ended" }] }, orders: [{ state: "refunded" }] }],
    [
      "ylva",
      {
        plan: { subscriptions: [{ state: "ended" }] },
        devices: {
          activated: Array.from({ length: 3 }, () => ({ state: "active" })),
          seatReductions: [{ state: "announced", seats: expect.any(Number) }],
        },
      },
    ],
    ["silas", { plan: { subscriptions: runs(small, "month") }, orders: [{ ...start1, dispute: "none" }] }],
    ["zoe", { plan: { subscriptions: [{ state: "ended" }] }, orders: [{ ...start1, dispute: "lost" }] }],
    ["carla", { plan: { customers: [{ creditMinor: expect.any(Number) }] } }],
    ["dora", { orders: [{ ...start1, withdrawals: [{ state: "acknowledged" }] }] }],
    ["kaspar", { orders: [{ ...start1, withdrawals: [{ state: "contested", declaredBy: "owner" }] }] }],
    ["ida", { plan: { subscriptions: [{ cancelsAt: expect.any(String) }] }, cancellations: [{ state: "done" }] }],
    ["torben", { plan: { subscriptions: [{ cancelsAt: expect.any(String) }] } }],
    ["malin", { plan: { subscriptions: [{ cancelsAt: null }] }, cancellations: [{ state: "unmatched" }] }],
    ["lotte", { orders: [{ ...start1, withdrawals: [{ state: "acknowledged", declaredBy: "anyone" }] }] }],
    ["ruth", { orders: [{ state: "refunded", withdrawals: [{ state: "refunded" }] }] }],
    ["nora", { plan: { subscriptions: [] }, orders: [] }],
    ["anton", { plan: { subscriptions: [], customers: [] }, orders: [], account: { name: null } }],
    [
      "ben",
      {
        orders: [{ ...start1, refundedMinor: 500, friendDiscountMinor: 500 }],
        referrals: { friendDiscounts: [{ state: "paid" }] },
      },
    ],
    ["selma", { referrals: { friendDiscounts: [{ state: "under-review", why: "domain" }] } }],
    ["ivo", { orders: [] }],
    ["ingrid.olsen", { account: { addressChanges: [{ state: "changed" }] } }],
    ...namesOfFeatures.map((name): [string, object] => [name, {}]),
    ["gil", { account: { state: "closed", leavingUntil: expect.any(String) } }],
  ];

  test.concurrent.each(promises.filter(([name]) => plays(name.split(".")[0] ?? "")))(
    "%s",
    { timeout: 60_000 },
    async (name, promised) => {
      const ofFeatures = addedTo(name).map(({ exported }) => exported);
      expect(await dataOf(await signIn(name))).toMatchObject(Object.assign({}, promised, ...ofFeatures));
    },
  );
});

if (chosen === "") {
  test("fourteen months are simulated: renewals happen on their days, in order, with consecutive numbers", async () => {
    const { account, orders, referrals } = await dataOf(await signIn("mara"));
    expect(Math.abs(Date.parse(account.createdAt) - since(14))).toBeLessThan(2 * dayMs);
    expect(orders.length).toBeGreaterThanOrEqual(14);
    const paidAts = orders.map(({ paidAt }) => String(paidAt));
    expect(paidAts.toSorted()).toEqual(paidAts);
    const numbers = orders.map(({ number }) => String(number));
    expect(numbers.toSorted()).toEqual(numbers);
    const credit = ["earned", "applied"].map((kind) => ({ kind }));
    expect(referrals).toMatchObject({ links: [{ visits: 8 }], credit });
    expect(referrals.brought.map(({ state }) => state).toSorted()).toEqual(["approved", "signed-up", "waiting"]);
  });

  test("one account has more than sixty orders, and refunds of every kind", async () => {
    const [orla, hugo, rui, finn, amelie, carla] = await Promise.all(
      ["orla", "hugo", "rui", "finn", "amelie", "carla"].map(async (name) => dataOf(await signIn(name))),
    );
    expect(orla?.orders.length).toBeGreaterThan(60);
    expect(hugo?.orders.map(({ state }) => state)).toContain("partially-refunded");
    const note = { kind: "credit-note", number: expect.stringMatching(/^CN-\d{4}-\d{6}$/) };
    const documents = expect.arrayContaining([expect.objectContaining(note)]);
    expect(hugo?.orders).toContainEqual(expect.objectContaining({ documents }));
    expect(rui?.orders.map(({ dispute }) => dispute)).toContain("needs-response");
    expect(finn?.orders.map(({ dispute }) => dispute)).toContain("won");
    expect(amelie?.orders.map(({ kind }) => kind)).toContain("change");
    expect(carla?.orders.some(({ creditMinor }) => creditMinor > 0)).toBe(true);
  });
}

test("the list names every account, erased accounts can't sign in, and the Stripe emulator's clock shows the present", async () => {
  expect(site.output).toContain("jonas@people.example ");
  if (plays("hanne")) {
    expect(site.output).toContain("(hanne@people.example)");
    const visitor = await new Visitor(origin, "198.18.9.1").open("/login");
    await askForCode(visitor, "hanne@people.example");
    const [email] = await readEmails(origin, "hanne@people.example", 1);
    expect(email?.text).toContain("/signup");
  }
  const clock = await fetch(`http://localhost:${port + 1}/control/clock`, {
    method: "POST",
    body: '{"advanceDays":0}',
  });
  const { now } = (await clock.json()) as { now: number };
  expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(2);
});

test("more than a year is simulated: renewals happen on their days and are numbered in the order of payment", async () => {
  const { account, orders } = await dataOf(await signIn("jonas"));
  expect(Math.abs(Date.parse(account.createdAt) - since(13))).toBeLessThan(2 * dayMs);
  const [first, second] = orders.map(({ paidAt }) => Date.parse(String(paidAt)));
  expect(new Date(second ?? 0).getUTCFullYear() - new Date(first ?? 0).getUTCFullYear()).toBe(1);
  const numbers = orders.map(({ number }) => String(number));
  expect(numbers.toSorted()).toEqual(numbers);
});

test.each(countsOfFeatures)("operators can see who is on the $name, at least $least", async ({ name, least }) => {
  const request = await fetch(`${origin}/api/operator/numbers`, {
    headers: { Authorization: "Bearer local-operator-token" },
  });
  const numbers = (await request.json()) as Record<string, { count: number }[]>;
  expect(numbers[name]?.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(least);
});

describe("a demo that is started again", () => {
  const settings = { persistTo: folder, stripe: `http://localhost:${port + 1}`, vars: {} };
  const neverBegun = () => {
    throw new Error("The demo was generated again");
  };
  const note = join(folder, "demo.json");

  test("on its own folder repeats nothing", async () => {
    expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ state: "played" });
    await expect(startDemo(settings, neverBegun)).resolves.toBeUndefined();
  });

  test("on an unfinished folder, or on one with other data, is refused", async () => {
    const played = readFileSync(note, "utf8");
    writeFileSync(note, '{"state":"begun"}');
    await expect(startDemo(settings, neverBegun)).rejects.toThrow("broke off: remove that folder");
    rmSync(note);
    await expect(startDemo(settings, neverBegun)).rejects.toThrow("has data of its own");
    writeFileSync(note, played);
  });

  test("a demo of an older version is removed, and one of this version is kept", () => {
    const older = mkdtempSync(join(tmpdir(), "foyer-demo-"));
    mkdirSync(join(older, "stripe"));
    writeFileSync(join(older, "demo.json"), '{"state":"played"}');
    removeOldDemo(older);
    expect(readdirSync(older)).toEqual([]);
    removeOldDemo(folder);
    expect(JSON.parse(readFileSync(note, "utf8"))).toMatchObject({ state: "played" });
  });
});

test("the demo sells the product in the config", () => {
  expect(product.plans.map(({ id }) => id)).toEqual(expect.arrayContaining([small, large]));
});
