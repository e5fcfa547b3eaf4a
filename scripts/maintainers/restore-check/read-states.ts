import type Stripe from "stripe";
import type { AccountState, StripeState } from "./compare.rules.ts";

/** The state of every account, as the site's tables have it now. */
export async function readAccountStates(database: D1Database): Promise<AccountState[]> {
  const { results: accounts } = await database
    .prepare(
      `select a.id, a.email_canonical as address,
         (select coalesce(sum(amount_minor), 0) from ledger_lines where account_id = a.id) as creditMinor
       from accounts a order by a.email_canonical`,
    )
    .all<{ id: string; address: string; creditMinor: number }>();
  return Promise.all(accounts.map(({ id, ...account }) => readState(database, id, account)));
}

async function readState(
  database: D1Database,
  id: string,
  account: Pick<AccountState, "address" | "creditMinor">,
): Promise<AccountState> {
  const { results: orders } = await database
    .prepare(
      `select kind, plan_id, interval, amount_minor, credit_minor, refunded_minor, state from orders
       where account_id = ? and number_year is not null`,
    )
    .bind(id)
    .all<Record<string, string | number>>();
  const plan = await database
    .prepare(
      `select state, plan_id, interval, amount_minor, cancels_at is not null as isCancelled from subscriptions
       where account_id = ? and state <> 'ended'`,
    )
    .bind(id)
    .first<Record<string, string | number>>();
  const sum = (name: string) => orders.reduce((total, order) => total + Number(order[name]), 0);
  return {
    ...account,
    paidMinor: sum("amount_minor"),
    refundedMinor: sum("refunded_minor"),
    orders: orders.map((order) => Object.values(order).join(" ")).toSorted(),
    access: plan === null ? null : Object.values(plan).join(" "),
  };
}

/** The state of every customer, as Stripe has it. */
export async function readStripeStates(stripe: Stripe): Promise<StripeState[]> {
  const customers = (await stripe.customers.list({ limit: 100 })).data;
  return Promise.all(
    customers.map(async ({ id: customer, email, balance }) => {
      const [invoices, charges, subscriptions] = await Promise.all([
        stripe.invoices.list({ customer, limit: 100 }),
        stripe.charges.list({ customer, limit: 100 }),
        stripe.subscriptions.list({ customer, limit: 100 }),
      ]);
      return {
        address: email ?? customer,
        paidMinor: invoices.data.reduce((total, { amount_paid }) => total + amount_paid, 0),
        refundedMinor: charges.data.reduce((total, { amount_refunded }) => total + amount_refunded, 0),
        // Stripe's balance is what a customer owes.
        creditMinor: 0 - balance,
        hasPlan: subscriptions.data.some(({ status }) => status !== "canceled"),
      };
    }),
  );
}
