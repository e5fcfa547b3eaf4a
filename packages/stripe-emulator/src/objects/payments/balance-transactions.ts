import type Stripe from "stripe";
import { SECONDS_PER_DAY } from "../../time/billing-times.ts";
import type { Transaction } from "../../transaction.ts";
import { digitsOf, roundAmount } from "../../money/currencies.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { nothing, route } from "../../http/routing.ts";
import { demand, idOf } from "../demand.ts";

type Movement = Stripe.BalanceTransaction;

const PATH = "/v1/balance_transactions";

export const balanceTransactionRoutes = [
  route("GET", PATH, readQuery, listMovements),
  route("GET", `${PATH}/:id`, nothing, (tx, _, id = "") => demand(tx, "balance_transaction", id)),
];

function readQuery(form: Form) {
  return {
    page: readPage(form),
    created: form.range("created"),
    currency: form.text("currency")?.toLowerCase(),
    source: form.text("source"),
    type: form.text("type"),
  };
}

function listMovements(
  tx: Transaction,
  { page, created, currency, source, type }: ReturnType<typeof readQuery>,
): object {
  const isWanted = (movement: Movement): boolean =>
    (currency === undefined || movement.currency === currency) &&
    (source === undefined || (movement.source !== null && idOf(movement.source) === source)) &&
    (type === undefined || movement.type === type) &&
    created(movement.created);
  return paginate(PATH, page, only(tx.store.newestFirst("balance_transaction"), isWanted));
}

/** Days until a payment can be paid out, as usual in Europe. What the account gives back leaves immediately. */
const AVAILABLE_AFTER_DAYS = 3;

interface Fee {
  percent: number;
  /** In hundredths of the currency's unit. */
  fixed: number;
  description: string;
}

/**
 * Stripe's prices in the euro area for cards of the European Economic Area. Others differ, by card, country and contract. A refund returns no
 * fee. Source: https://stripe.com/ie/pricing
 */
const FEES = {
  card: { percent: 1.5, fixed: 25, description: "Stripe processing fees" },
  sepa_debit: { percent: 0, fixed: 35, description: "Stripe processing fees" },
  dispute: { percent: 0, fixed: 2000, description: "Dispute fee" },
} satisfies Record<string, Fee>;

interface NewMovement {
  /** Negative if it leaves the account. */
  amount: number;
  currency: string;
  description: string;
  source: string;
  type: "adjustment" | "charge" | "payment" | "payment_refund" | "refund" | "refund_failure";
  category: "charge" | "dispute" | "dispute_reversal" | "refund" | "refund_failure";
  fee?: keyof typeof FEES;
}

/** What moved on the account's own balance. */
export function moveMoney(tx: Transaction, { category, fee: kind, ...movement }: NewMovement): Movement {
  const now = tx.clock.now();
  const fee = kind === undefined ? 0 : feeOf(FEES[kind], movement.amount, movement.currency);
  const isLate = category === "charge";
  const saved = tx.store.put("balance_transaction", {
    id: newId("txn"),
    object: "balance_transaction",
    ...movement,
    available_on: now + (isLate ? AVAILABLE_AFTER_DAYS * SECONDS_PER_DAY : 0),
    balance_type: "payments",
    created: now,
    exchange_rate: null,
    fee,
    fee_details:
      kind === undefined
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: movement.currency,
              description: FEES[kind].description,
              type: "stripe_fee",
            },
          ],
    net: movement.amount - fee,
    reporting_category: category,
    status: isLate ? "pending" : "available",
  });
  if (isLate) tx.clock.setTimer("funds-available", saved.id, saved.available_on);
  return saved;
}

export const makeAvailable = (tx: Transaction, movement: Movement): Movement =>
  tx.store.put("balance_transaction", { ...movement, status: "available" });

const feeOf = ({ percent, fixed }: Fee, amount: number, currency: string): number =>
  roundAmount((Math.abs(amount) * percent) / 100 + fixed * 10 ** (digitsOf(currency) - 2), currency);
