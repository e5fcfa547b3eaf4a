/**
 * Decides what a database that lost an hour still lacks after its repair. Invariants: money and access of every account that survived must
 * agree with Stripe and with the database that lost nothing; all else is listed, never hidden. Called from `restore-check.ts`.
 */
import { featureTools } from "../../features.ts";
import type { DatabaseCopy } from "./database-copy.ts";

/** The state of one account, without ids and times. */
export type AccountState = {
  address: string;
  paidMinor: number;
  refundedMinor: number;
  creditMinor: number;
  /** Each order that was paid: kind, plan, amounts and state. */
  orders: readonly string[];
  /** The active plan with its state. Null without one. */
  access: string | null;
};

export type StripeState = Pick<AccountState, "address" | "paidMinor" | "refundedMinor" | "creditMinor"> & {
  hasPlan: boolean;
};

export type Compared = {
  /** Money or access that differs: what the check is for. */
  differences: string[];
  /** What was paid at Stripe by accounts that were lost with the hour. */
  byHand: string[];
};

export function compareAccounts(
  complete: readonly AccountState[],
  restored: readonly AccountState[],
  stripe: readonly StripeState[],
): Compared {
  const differences = restored.flatMap((account) => [
    ...differsFrom(
      account,
      complete.find(({ address }) => address === account.address),
    ),
    ...differsAtStripe(
      account,
      stripe.find(({ address }) => address === account.address),
    ),
  ]);
  const byHand = stripe
    .filter(({ address }) => !restored.some((account) => account.address === address))
    .map(({ address, paidMinor, refundedMinor, hasPlan }) =>
      [
        `${address} has no account any more, and paid ${paidMinor - refundedMinor} in minor units at Stripe`,
        hasPlan ? ", where a subscription runs" : "",
      ].join(""),
    );
  return { differences, byHand };
}

function differsFrom(restored: AccountState, complete: AccountState | undefined): string[] {
  const { address } = restored;
  if (complete === undefined) return [`${address}: an account that wasn't there before`];
  const lost = without(complete.orders, restored.orders).map((order) => `${address}: the order is missing: ${order}`);
  const added = without(restored.orders, complete.orders).map((order) => `${address}: an order too many: ${order}`);
  const isSame = restored.access === complete.access;
  return [
    ...lost,
    ...added,
    ...(isSame ? [] : [`${address}: access is ${restored.access ?? "none"}, and was ${complete.access ?? "none"}`]),
    ...differingAmounts(restored, complete, "was"),
  ];
}

function differsAtStripe(restored: AccountState, stripe: StripeState | undefined): string[] {
  const none = { paidMinor: 0, refundedMinor: 0, creditMinor: restored.creditMinor, hasPlan: false };
  const at = stripe ?? none;
  const hasAccess = restored.access !== null;
  return [
    ...differingAmounts(restored, at, "is at Stripe"),
    ...(hasAccess === at.hasPlan ? [] : [`${restored.address}: access differs from Stripe's subscription`]),
  ];
}

type Amounts = Pick<AccountState, "paidMinor" | "refundedMinor" | "creditMinor">;

function differingAmounts(own: AccountState, other: Amounts, how: string): string[] {
  const names = { paidMinor: "paid", refundedMinor: "refunded", creditMinor: "credit" } as const;
  const keys = ["paidMinor", "refundedMinor", "creditMinor"] as const;
  return keys
    .filter((key) => own[key] !== other[key])
    .map((key) => `${own.address}: ${names[key]} is ${own[key]}, and ${how} ${other[key]}`);
}

/** What a list contains more often than another one. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** What the rows of a table mean to operators. Tables of counters and of the cron job aren't listed. */
const lostRows: Readonly<Record<string, string>> = {
  accounts: "accounts: their owners sign up again",
  sessions: "sign-ins: those browsers are signed out",
  passkeys: "passkeys: their owners add them again",
  activities: "lines of activity logs",
  usage_values: "reports of usage: the product reports again",
  ...Object.assign({}, ...featureTools.map(({ lostRows }) => lostRows)),
  referrals: "friends who signed up by a link",
  cancellation_reasons: "reasons for a cancellation",
  withdrawals: "declarations of withdrawal: the acknowledgement is in the customer's mailbox",
  operator_log: "lines of the operators' log",
};

/** Rows of the hour that nothing brings back, by table, in plain words. */
export function listLostRows(complete: DatabaseCopy, restored: DatabaseCopy): string[] {
  return Object.entries(lostRows).flatMap(([table, what]) => {
    const count = (copy: DatabaseCopy) => copy.get(table)?.length ?? 0;
    const lost = count(complete) - count(restored);
    const [name, note] = what.split(": ");
    return lost > 0 ? [`${name} (${lost})${note === undefined ? "" : `: ${note}`}`] : [];
  });
}

/** Visits by a friend's link are counted, not stored as rows. */
export function countLostVisits(complete: DatabaseCopy, restored: DatabaseCopy): number {
  const visits = (copy: DatabaseCopy) =>
    (copy.get("referral_links") ?? []).reduce((total, row) => total + Number(row["visits"]), 0);
  return visits(complete) - visits(restored);
}

/** Order numbers that name another order than the one whose receipt has it. */
export function listReusedNumbers(complete: DatabaseCopy, restored: DatabaseCopy): string[] {
  const invoices = (copy: DatabaseCopy) =>
    new Map(
      (copy.get("orders") ?? [])
        .filter(({ number_year }) => number_year !== null)
        .map((row) => [`${row["number_year"]}-${String(row["number_in_year"]).padStart(6, "0")}`, row["invoice_id"]]),
    );
  const now = invoices(restored);
  return [...invoices(complete)]
    .filter(([number, invoice]) => now.has(number) && now.get(number) !== invoice)
    .map(([number]) => number);
}

/** Emails that were sent in the hour and again after the restore: the same email of the same cause. */
export function countSentAgain(before: DatabaseCopy, complete: DatabaseCopy, restored: DatabaseCopy): number {
  const sent = (copy: DatabaseCopy) =>
    new Set((copy.get("emails") ?? []).filter(({ state }) => state === "sent").map(({ id }) => id));
  const [old, first, second] = [sent(before), sent(complete), sent(restored)];
  return [...second].filter((id) => first.has(id) && !old.has(id)).length;
}
