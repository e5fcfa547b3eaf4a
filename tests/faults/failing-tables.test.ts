import { afterAll, expect, test } from "vitest";
import { type Damage, failingAt, without } from "#tests/support/database/damage.ts";
import { queryOf, brokenInvariants } from "#tests/support/database/invariants.ts";
import { startSite } from "#tests/support/site/site.ts";
import { setUpAccounts, aRegular, type Outcome } from "./test-accounts.ts";
import { expectFinished, expectHonest, takeAll } from "./outcomes.ts";

/** From the database itself: a table that is added later is tried as well. */
const site = await startSite();
const listed = `select name from sqlite_master where type = 'table'
  and name not like 'sqlite_%' and name not like 'd1_%' and name not like '\\_%' escape '\\' order by 1`;
const only = process.env.FAULTS_TABLE;
const tables = (await queryOf(site)(listed)).map(({ name }) => String(name)).filter((name) => !only || name === only);
const summary: Record<string, string> = {};

afterAll(async () => {
  console.warn(
    Object.entries(summary)
      .map(([damage, what]) => `${damage}: ${what}`)
      .join("\n"),
  );
  await site.close();
});

let regular: Promise<Awaited<ReturnType<typeof aRegular>>> | null = null;
let tried = 0;

/** Another account for each table: protected actions need a recent re-authentication. */
function regularOf(table: string) {
  if (tried % Object.keys(damages).length === 0) regular = aRegular(site, `regular-${table}@example.com`);
  tried += 1;
  return regular ?? aRegular(site, `regular-${table}@example.com`);
}

async function during(name: string, damage: Damage): Promise<void> {
  const accounts = await setUpAccounts(site, name.replaceAll(/\W+/g, "-").replaceAll("_", "-"));
  const regular = await regularOf(name.split(" ")[0] ?? "");
  const database = await site.database();
  const steps = [...accounts.steps, ...regular.steps];
  await database.exec(damage.does);
  let outcomes: Outcome[];
  try {
    outcomes = await takeAll(steps);
  } finally {
    await database.exec(damage.mend);
  }
  expectHonest(name, outcomes);
  const broken = outcomes.filter(({ status }) => status >= 500).map(({ step }) => step);
  summary[name] =
    broken.length === 0 ? "nothing failed" : `${broken.length} of ${steps.length} failed: ${broken.join(", ")}`;
  expect([name, await brokenInvariants(queryOf(site))]).toEqual([name, {}]);
  // Again what the accounts were in the middle of, and all that failed, in the same process: now it succeeds.
  await database.exec("delete from quota_uses");
  const after = await takeAll(steps.filter((step) => accounts.steps.includes(step) || broken.includes(step.name)));
  expect([name, after.filter(({ status }) => status >= 500)]).toEqual([name, []]);
  await expectFinished(site, name, accounts);
  expect([name, await brokenInvariants(queryOf(site))]).toEqual([name, {}]);
}

const damages = {
  "can't be added to": (table: string) => failingAt(`insert on ${table}`),
  "can't be changed": (table: string) => failingAt(`update on ${table}`),
  "can't be deleted from": (table: string) => failingAt(`delete on ${table}`),
  "isn't there": without,
};

test("every table is tested", () => expect(tables.length).toBeGreaterThan(only ? 0 : 30));

const all = tables.flatMap((table) =>
  Object.entries(damages).map(([how, damage]) => ({ table, how, damage: damage(table) })),
);

test.each(all)(
  "while $table $how, only what needs it fails, with a reference id; once restored, everything continues where it was",
  async ({ table, how, damage }) => during(`${table} ${how}`, damage),
);
