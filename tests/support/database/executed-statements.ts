import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { noting, type Noted, wholeReads } from "./recording-database.ts";

const request = new Map<string, Noted>();

/** The bindings, on a database that records what the App of the tests executes, each statement once. */
export const watchedEnv = { ...env, DB: noting(env.DB, (noted) => request.set(noted.query, noted)) };

/**
 * Scans of a whole index that are intended, and why they grow with what is to be done and not with the number of
 * accounts.
 */
export const meantReads = new Map([
  ["SCAN sold_plans", "as many rows as there were plans"],
  ["SCAN accounts USING INDEX accounts_unhashed", "only accounts whose mailbox isn't hashed so far"],
  ["SCAN customers USING INDEX customers_unhashed", "only customers whose payment methods aren't hashed so far"],
  ["SCAN codes USING INDEX codes_signed_up", "sign-ups of the last day alone"],
  ["SCAN customers USING INDEX customers_ledger_behind", "only those of whom there is something to book"],
  ["SCAN ledger_lines USING INDEX ledger_lines_asked_back", "only what isn't done yet"],
  ["SCAN ledger_lines USING INDEX ledger_lines_unposted", "only rewards of people who never paid"],
  ["SCAN cancellations USING INDEX cancellations_for_operators", "only what operators haven't closed"],
  ["SCAN orders USING INDEX orders_disputed", "only what a bank asks about now, and no more than are listed"],
  ["SCAN orders USING INDEX orders_mismatched", "an operator asks how many there are"],
  ["SCAN subscriptions USING INDEX subscriptions_to_review", "an operator asks for plans that were paused or lost"],
  ["SCAN unclaimed_customers USING COVERING INDEX unclaimed_customers_by_turn", "an operator asks how many there are"],
  ["SCAN entries USING COVERING INDEX entries_under_review", "an operator asks how many wait for a decision"],
  ["SCAN operator_log USING COVERING INDEX operator_log_newest", "an operator asks how many there are"],
  ["SCAN accounts USING COVERING INDEX accounts_closed", "an operator asks how many there are"],
  ["SCAN devices USING INDEX devices_named", "an operator looks for the name of a device"],
  ["SCAN entries USING COVERING INDEX entries_by_number", "an operator asks how many there are"],
]);

/** Every statement executed since the last check uses an index: any statement that a test runs is covered. */
export async function expectIndexes(): Promise<void> {
  // A statement that was prepared and never run has no values.
  const statements = [...request.values()].filter(({ query, values }) => query.split("?").length - 1 === values.length);
  request.clear();
  const reads = await wholeReads(statements);
  expect(reads.filter(({ detail }) => !meantReads.has(detail))).toEqual([]);
}
