import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Database } from "#app/db/database.server.ts";
import { featureServers } from "#app/features.server.ts";
import { earlierIn } from "#app/modules/referrals/attribution.queries.server.ts";
import { listUnattributed } from "#app/modules/referrals/everyone.queries.server.ts";
import { product } from "#app/product/config.ts";
import { meantReads } from "#tests/support/database/executed-statements.ts";
import { statementsOfQueries } from "#tests/support/database/statements-of-queries.ts";
import { tables } from "#tests/support/database/account-rows.ts";
import { wholeReads } from "#tests/support/database/recording-database.ts";

/**
 * No statement reads a table from end to end. Each file of the integration tests is checked for the statements that
 * its commands execute (tests/support/database/migrate.ts); here are the statements that no test executed, and those
 * that no command executes: triggers, and the keys by which the database looks for children.
 */
type Exported = ((...args: unknown[]) => unknown) | undefined;

const stores = import.meta.glob<Record<string, Exported>>("../../../app/{modules,features}/**/*queries.server.ts", {
  eager: true,
});
const functions = Object.entries(stores).flatMap(([path, store]) =>
  Object.entries(store).flatMap(([name, ask]) => (typeof ask === "function" ? [{ path, name, ask }] : [])),
);

/**
 * They take more than values: a time zone, lists of columns and of words, parts of objects, other statements. Tests of their commands
 * execute them.
 */
const askedByCommands = [
  "addRefusalOf",
  "addTouch",
  "transferEntries",
  "changeAccountProfile",
  "changeToWaiting",
  "startRevert",
  "factOfDevice",
  "listOrders",
  "listReferredBefore",
  "listReferrers",
  "listUnattributed",
  "writeStep",
];
/** Conditions about a row of another statement that contains them. */
const testedElsewhere = [
  "askedLast",
  "domainOf",
  "isAround",
  "isListed",
  "isMeant",
  "isOfDeclarer",
  "isNewOfOwner",
  "isWithdrawalOpen",
  "lastWithdrawableAt",
  "waitsForEmail",
];

test("every query of a queries module uses an index, and every listed exception is needed", async () => {
  const others = functions.filter(({ name }) => ![...askedByCommands, ...testedElsewhere].includes(name));
  const unattributed = (db: Database) => listUnattributed(db, earlierIn({ hooks: featureServers, product }), 1);
  const asked = [...others.map(({ ask }) => ask), unattributed];
  const requests = await Promise.all(asked.map((ask) => statementsOfQueries(ask)));
  const found = requests.flat();
  expect(found.length).toBeGreaterThan(300);
  const details = new Set((await wholeReads(found)).map(({ detail }) => detail));
  expect([...details].toSorted()).toEqual([...meantReads.keys()].toSorted());
});

test("the statements of triggers use an index", async () => {
  const { results } = await env.DB.prepare("select sql from sqlite_master where type = 'trigger'").all<{
    sql: string;
  }>();
  const bodies = results.map(({ sql }) => /\bBEGIN\b([\s\S]*)\bEND\b/i.exec(sql)?.[1] ?? "");
  const statements = bodies.flatMap((body) =>
    body.split(";").filter((part) => part.trim() !== "" && !/\bRAISE\b/.test(part)),
  );
  expect(statements.length).toBeGreaterThan(5);
  const queries = statements.map((statement) => statement.replace(/\b(new|old)\."\w+"/gi, "1"));
  expect(await wholeReads(queries.map((query) => ({ query, values: [] })))).toEqual([]);
});

test("children of a deleted or written row are found by an index", async () => {
  const requests = await env.DB.batch<{ child: string; unfound: string }>(
    tables.map(({ name }) =>
      env.DB.prepare(
        `select ?1 as child, key."from" as unfound from pragma_foreign_key_list(?1) key where not exists (
           select 1 from pragma_index_list(?1) found join pragma_index_info(found.name) part
           where part.seqno = 0 and part.name = key."from" and found.partial = 0)`,
      ).bind(name),
    ),
  );
  expect(requests.flatMap(({ results }) => results)).toEqual([]);
});
