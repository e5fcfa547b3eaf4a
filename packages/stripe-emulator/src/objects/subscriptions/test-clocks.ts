import type Stripe from "stripe";
import { fireTimer } from "../../actions/fire-timer.ts";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid } from "../../http/stripe-errors.ts";
import { deleteCustomer } from "../customers/customer-deletion.ts";
import { periodEnd } from "../../time/period-end.ts";
import { demand } from "../demand.ts";

/** Stripe deletes a test clock automatically after 30 days of real time; here it stays. */
const LIFE_SECONDS = 30 * 86_400;
/** Within this difference a clock counts as set to now. */
const NOW_SECONDS = 300;

const path = "/v1/test_helpers/test_clocks";

export const testClockRoutes = [
  route("POST", path, readNewClock, createClock),
  route("GET", path, readPage, (tx, page) => paginate(path, page, tx.store.newestFirst("test_clock"))),
  route("GET", `${path}/:id`, nothing, (tx, _, id = "") => demand(tx, "test_clock", id)),
  route("POST", `${path}/:id/advance`, (form) => form.requiredInteger("frozen_time"), advanceClock),
  route("DELETE", `${path}/:id`, nothing, (tx, _, id = "") => deleteClock(tx, demand(tx, "test_clock", id))),
];

function readNewClock(form: Form) {
  return { frozenTime: form.requiredInteger("frozen_time"), name: form.text("name") ?? null };
}

/**
 * The account has one clock, which all customers share and which never stops. A test clock controls that clock: it
 * begins at the account's time, and an advance moves the account's clock by as much.
 */
function createClock(
  tx: Transaction,
  { frozenTime, name }: ReturnType<typeof readNewClock>,
): Stripe.TestHelpers.TestClock {
  const now = tx.clock.now();
  if (frozenTime < now - NOW_SECONDS) {
    throw invalid(`The Stripe emulator has one clock, which can't go back: a test clock begins at ${now} or later.`, {
      param: "frozen_time",
    });
  }
  advanceAccount(tx, Math.max(0, frozenTime - now));
  const clock: Stripe.TestHelpers.TestClock = {
    id: newId("clock"),
    object: "test_helpers.test_clock",
    created: Math.floor(Date.now() / 1000),
    deletes_after: Math.floor(Date.now() / 1000) + LIFE_SECONDS,
    frozen_time: frozenTime,
    livemode: false,
    name,
    status: "ready",
    status_details: {},
  };
  tx.store.put("test_clock", clock);
  tx.record("test_helpers.test_clock.created", clock);
  return clock;
}

/** Returns `advancing` first, as Stripe does; the next retrieval returns `ready`. */
function advanceClock(tx: Transaction, frozenTime: number, id = ""): Stripe.TestHelpers.TestClock {
  const clock = demand(tx, "test_clock", id);
  if (frozenTime <= clock.frozen_time) {
    throw invalid("The test clock can only be advanced to a time after its frozen time.", { param: "frozen_time" });
  }
  const latest = latestAdvance(tx, clock);
  if (frozenTime > latest) {
    throw invalid(
      `The test clock can only be advanced by two intervals of its shortest subscription at a time, without any by two years: to ${latest} at the latest.`,
      { param: "frozen_time" },
    );
  }
  const advancing: Stripe.TestHelpers.TestClock = {
    ...clock,
    status: "advancing",
    status_details: { advancing: { target_frozen_time: frozenTime } },
  };
  tx.record("test_helpers.test_clock.advancing", advancing);
  advanceAccount(tx, frozenTime - clock.frozen_time);
  const ready = tx.store.put("test_clock", { ...clock, frozen_time: frozenTime });
  tx.record("test_helpers.test_clock.ready", ready);
  return advancing;
}

/** Two intervals of the clock's shortest subscription, or two years. Source: https://docs.stripe.com/api/test_clocks/advance */
const after = (start: number, recurrence: Parameters<typeof periodEnd>[2]): number =>
  periodEnd(start, start, recurrence);

function latestAdvance(tx: Transaction, clock: Stripe.TestHelpers.TestClock): number {
  const ends = [...tx.store.newestFirst("subscription")]
    .filter(
      ({ test_clock: own, status }) => own === clock.id && status !== "canceled" && status !== "incomplete_expired",
    )
    .flatMap(({ items }) => items.data.flatMap(({ price }) => price.recurring ?? []))
    .map((recurring) => after(clock.frozen_time, { ...recurring, interval_count: 2 * recurring.interval_count }));
  return Math.min(after(clock.frozen_time, { interval: "year", interval_count: 2 }), ...ends);
}

function advanceAccount(tx: Transaction, seconds: number): void {
  if (seconds > 0) tx.clock.advance(seconds, (timer) => fireTimer(tx, timer));
}

function deleteClock(tx: Transaction, clock: Stripe.TestHelpers.TestClock): Stripe.TestHelpers.DeletedTestClock {
  for (const customer of [...tx.store.newestFirst("customer")]) {
    if (customer.test_clock === clock.id) deleteCustomer(tx, customer);
  }
  tx.store.remove(clock.id);
  tx.record("test_helpers.test_clock.deleted", clock);
  return { id: clock.id, object: "test_helpers.test_clock", deleted: true };
}
