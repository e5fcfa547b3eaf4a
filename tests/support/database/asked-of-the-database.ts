import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { noting, type Noted, wholeReads } from "./watched-database.ts";

const asked = new Map<string, Noted>();

/** The bindings, on a database that notes what the App of the tests asks, each statement once. */
export const watchedEnv = { ...env, DB: noting(env.DB, (noted) => asked.set(noted.query, noted)) };

/** Reads of a whole index that are meant, and why they grow with what is to be done and not with how many people there are. */
export const meantReads = new Map([
  ["SCAN sold_plans", "as many rows as there were plans"],
  ["SCAN accounts USING INDEX accounts_unmarked", "only accounts whose mailbox isn't noted so far"],
  ["SCAN customers USING INDEX customers_unmarked", "only customers from before there were marks of methods"],
  ["SCAN codes USING INDEX codes_signed_up", "sign-ups of the last day alone"],
  ["SCAN customers USING INDEX customers_ledger_behind", "only those of whom there is something to book"],
  ["SCAN ledger_lines USING INDEX ledger_lines_asked_back", "only what isn't done yet"],
  ["SCAN ledger_lines USING INDEX ledger_lines_unbooked", "only rewards of people who never paid"],
  ["SCAN orders USING INDEX orders_disputed", "only what a bank asks about now, and no more than are listed"],
  ["SCAN entries USING COVERING INDEX entries_under_review", "an operator asks how many wait for a decision"],
  ["SCAN operator_acts USING COVERING INDEX operator_acts_newest", "an operator asks how many there are"],
  ["SCAN accounts USING COVERING INDEX accounts_leaving", "an operator asks how many there are"],
  ["SCAN devices USING INDEX devices_named", "an operator looks for the name of a device"],
  ["SCAN entries USING COVERING INDEX entries_by_number", "an operator asks how many there are"],
]);

/** Whatever was asked since it was last looked at is found by an index: a statement that any test runs can't escape. */
export async function expectIndexes(): Promise<void> {
  // What was prepared and given up before it ran has no values.
  const statements = [...asked.values()].filter(({ query, values }) => query.split("?").length - 1 === values.length);
  asked.clear();
  const reads = await wholeReads(statements);
  expect(reads.filter(({ detail }) => !meantReads.has(detail))).toEqual([]);
}
