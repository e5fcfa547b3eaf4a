import type { Viewer } from "#app/modules/accounts/rules.ts";
import { type Gate, gateWord, gateName } from "#app/modules/catalogue/gate.rules.ts";
import { namedPlan } from "#app/modules/catalogue/plan-names.messages.ts";
import { priceMinorOf, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { readOrder } from "#app/modules/billing/orders/queries.server.ts";
import { isDisputeOpen } from "#app/core/stripe/states.ts";
import { isOpen } from "#app/modules/billing/orders/states.rules.ts";
import { nextCharge, policies, runningSubscription } from "#app/modules/billing/subscriptions/rules.ts";
import { isPlanWithdrawn, isUnanswered } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { listAttention } from "./attention.rules.ts";
import { planFacts } from "./plan-facts.ts";
import type { readOverview } from "./read-overview.server.ts";
import { lastEnded, sayEndedPlan, sayKeptData } from "./say-ended-plan.ts";
import { sayPageRows } from "./say-page-rows.ts";
import { sayAttention } from "./say-attention.ts";
import { sayWithdrawal } from "../say-withdrawal.ts";
import { startFacts } from "./start-facts.ts";
import { usageFacts } from "./usage-facts.ts";

type Rows = Awaited<ReturnType<typeof readOverview>>;

/** What the overview says, in messages chosen on the server: what needs attention, the plan, and whether to start with the product. */
export function overviewFacts(
  product: ProductConfig,
  viewer: Viewer,
  rows: Rows,
  { month, now, gate }: { month: string; now: number; gate: Gate },
) {
  const { account, due } = viewer;
  const running = runningSubscription(rows.subscriptions);
  const unconfirmed = rows.unconfirmed.map(readOrder)[0] ?? null;
  const { open, renewal, disputed, undone } = readUnpaidAndDisputed(rows);
  const creditMinor = rows.customers[0]?.creditMinor ?? 0;
  const next = running && nextCharge(running, priceMinorOf.bind(null, product), creditMinor);
  const plan = namedPlan(product, running?.planId);
  const { meters, full } = usageFacts(product, {
    plan,
    counts: rows.counts,
    usage: rows.usage,
    month,
    locale: account.locale,
  });
  const counts = rows.counts.map((each) => ({ ...each, limit: plan && (plan.limits[each.name] ?? 0) }));
  const change = rows.changes[0] ?? null;
  const ended = lastEnded(rows.subscriptions) ?? null;
  const kinds = listAttention({
    running,
    isDue: due !== null && running !== null && policies[running.state].needsPayment,
    ended,
    isUnconfirmed: unconfirmed !== null,
    open,
    next,
    counts,
    full,
    isAddressNew: change !== null,
    now,
  });
  const data = sayKeptData(product, account, rows, now);
  const endedText = sayEndedPlan(product, account, { ...rows, undone }, kinds.includes("limit-reached") ? null : data);
  const details = {
    product,
    gate,
    account,
    due,
    renewal,
    running,
    ended,
    endedText,
    open,
    next,
    counts,
    planName: plan?.name ?? "",
    full,
    data,
    change,
    now,
  };
  const attention = kinds.flatMap((kind) => sayAttention(kind, details) ?? []);
  return {
    attention,
    isDueShown: kinds.includes("payment-failed"),
    plan: planFacts(product, account, {
      running,
      next,
      unconfirmed,
      open,
      creditMinor,
      isWithdrawn: isPlanWithdrawn(rows.withdrawals, running),
      declaredEnd: rows.declaredEnds[0] ?? null,
      renewal,
      disputed,
      now,
      ended: kinds.includes("plan-lost") ? null : endedText,
      isSecond: attention.length > 0,
      queued: queuedOf(product, rows, gate),
    }),
    meters,
    withdrawals: rows.withdrawals.filter(isUnanswered).map((row) => sayWithdrawal(row, account, product)),
    // Shown until something is counted that the plan limits; always in a product where nothing is.
    start: plan && rows.counts.every(({ used }) => used === 0) ? startFacts(product, attention.length > 0) : null,
    rows: sayPageRows(product, gate, account, rows),
  };
}

/** The customer's unpaid choice, unpaid renewal, and payment that the bank is asked to return. */
function readUnpaidAndDisputed(rows: Rows) {
  const unpaidOrDisputed = rows.unpaidOrDisputed.map(readOrder);
  const unpaid = unpaidOrDisputed.filter(({ state }) => isOpen(state));
  return {
    renewal: unpaid.find(({ kind }) => kind === "renewal") ?? null,
    open: unpaid.find(({ kind }) => kind !== "renewal") ?? null,
    disputed: unpaidOrDisputed.find(({ dispute }) => isDisputeOpen(dispute)) ?? null,
    undone: unpaidOrDisputed.filter(({ failure }) => failure === "mismatch-refunded"),
  };
}

/** Whether the account waits at the gate that is shut. */
function queuedOf(product: ProductConfig, { passes }: Rows, gate: Gate) {
  const pass = passes.find((each) => each.gate === gateWord(gate));
  return pass ? { what: gateName(product, pass.gate), isInvited: pass.isInvited } : null;
}
