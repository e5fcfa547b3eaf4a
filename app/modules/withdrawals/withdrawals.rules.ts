/**
 * Withdrawal from a contract: a customer's right to think better of it for some days, declared on a page that needs no account.
 * Whoever declares is believed and told so by mail; whether there is such a contract is said to nobody. What is declared isn't
 * judged here: operators read it, and the refund that they make closes it.
 */
import { type MeantOrder, type Order, spellNumber } from "#app/modules/orders/rules.ts";
import * as v from "valibot";
import { dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { keyedHash } from "#app/core/digest.ts";
import { dayMs } from "#app/core/time/time.ts";

export type WithdrawalState = "declared" | "acknowledged" | "refunded" | "contested";

/**
 * Who declared it, as far as we could tell. Number and address of an order are on its receipt, and others may know them: what `anyone`
 * declared is looked at like the rest, and doesn't stop the owner from declaring.
 */
export type DeclaredBy = "owner" | "mailbox" | "anyone";

export type Declared = { declaredAt: number; state: string; declaredBy: string; contestReason: string | null };

/** Of the declarations about a contract, newest first, the one that its orders show. */
export function shownDeclaration<Row extends Declared>(rows: readonly Row[]): Row | null {
  const byOwner = rows.filter(({ declaredBy }) => declaredBy !== "anyone");
  return byOwner.find(({ state }) => state !== "contested") ?? byOwner[0] ?? rows[0] ?? null;
}

/** The owner has declared it, and it stands: there is nothing to be declared once more. */
export function isDeclaredByOwner({ state, declaredBy }: Declared): boolean {
  return declaredBy !== "anyone" && state !== "contested";
}

/** Where a withdrawal may go from each state. A refund that the bank sends back has not happened. */
export const withdrawalMoves: Record<WithdrawalState, readonly WithdrawalState[]> = {
  declared: ["acknowledged", "refunded", "contested"],
  acknowledged: ["refunded", "contested"],
  refunded: ["declared", "acknowledged"],
  contested: [],
};

/** States of a declaration of withdrawal. */
export const withdrawalStates = Object.keys(withdrawalMoves) as WithdrawalState[];

/** Nobody has answered it so far. */
export const unansweredWithdrawals = ["declared", "acknowledged"] as const satisfies WithdrawalState[];

/** The states from which a withdrawal may come to `to`: the WHERE of the statement that moves it. */
export function withdrawalsBefore(to: WithdrawalState): WithdrawalState[] {
  return withdrawalStates.filter((from) => withdrawalMoves[from].includes(to));
}

/** The same declaration within this time is a double submission. */
export const sameDeclarationMs = dayMs;
/** How long a declaration is stored; claims that come of it have lapsed by then. */
export const withdrawalKeptMs = 3 * 365 * dayMs;

/**
 * Until when an order can be withdrawn from without a reason: the end of the last day, the day of the contract not counted
 * (Regulation 1182/71), on the seller's calendar. Null: not at all. A renewal goes on with a contract and begins none.
 */
export function withdrawalEndsAt(
  { kind, paidAt }: Pick<Order, "kind" | "paidAt">,
  { withdrawalDays, timeZone }: { withdrawalDays: number | "off"; timeZone: string },
): number | null {
  if (withdrawalDays === "off" || paidAt === null || kind === "renewal") return null;
  const { day, ...month } = dayOf(paidAt, timeZone);
  return startOfDay({ ...month, day: day + withdrawalDays + 1 }, timeZone);
}

/** Directive 2011/83/EU, article 13: the refund is due by the end of the fourteenth day after the declaration. */
export const refundWithinDays = 14;

/** The end of that day on the seller's calendar. Null: it is closed. */
export function refundDueAt(
  { state, declaredAt }: { state: string; declaredAt: number },
  { timeZone }: { timeZone: string },
): number | null {
  if (!unansweredWithdrawals.some((unanswered) => unanswered === state)) return null;
  const { day, ...month } = dayOf(declaredAt, timeZone);
  return startOfDay({ ...month, day: day + refundWithinDays + 1 }, timeZone);
}

/** That day as the seller's calendar has it, `2026-12-04`. */
export function refundDueOn(dueAt: number | null, { timeZone }: { timeZone: string }): string | null {
  // The end of a day is the beginning of the next one.
  return dueAt === null ? null : spellDay(dayOf(dueAt - 1, timeZone));
}

/** What is left to withdraw from. Null: it is refunded, or too late. */
export function openWithdrawal(
  order: Pick<Order, "kind" | "paidAt" | "state">,
  product: Parameters<typeof withdrawalEndsAt>[1],
  now: number,
): { until: number } | null {
  const until = order.state === "refunded" ? null : withdrawalEndsAt(order, product);
  return until !== null && now < until ? { until } : null;
}

export function readMeantOrder(typed: string): MeantOrder | null {
  const plain = typed
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\s#]/g, "")
    .toLowerCase();
  const [, year, inYear] = /^(\d{4})-(\d{1,9})$/.exec(plain) ?? [];
  if (year && inYear) return { year: Number(year), inYear: Number(inYear) };
  return /^ord_[a-z0-9]{1,40}$/.test(plain) ? { id: plain } : null;
}

/** In our own spelling, whatever was typed. */
export function spellMeantOrder(meant: MeantOrder): string {
  return "id" in meant ? meant.id : spellNumber(meant.year, meant.inYear);
}

export type Declaration = { name: string; order: string; email: EmailAddress };

/**
 * The name under which a declaration in the same words is counted. What strangers have declared isn't the same as what an account
 * declares.
 */
export function declarationName(
  pepper: string,
  { name, order, email }: Declaration,
  accountId: string | null,
): Promise<string> {
  const said = [email.canonical, order, name, ...(accountId === null ? [] : [accountId])];
  return keyedHash(pepper, "withdrawal declared", said.join("\n"));
}

/** The reserve of whoever is signed in to the address: strangers don't use it up. */
export function ownerReserve(pepper: string, canonical: string): Promise<string> {
  return keyedHash(pepper, "withdrawal mails of owner", canonical);
}

/**
 * Letters, figures and the signs that names and numbers have: no line breaks, and nothing that a mail program makes a link of, which is
 * why no letter or figure may follow a dot.
 */
const plainWords = /^(?!.*\.[\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N} .,'’`´&()#_\u2010-\u2015-]+$/u;
/** Of a name, as in the profile. */
const nameLettersMax = 80;
/** Longer than any order number or id. */
const orderLettersMax = 60;

/** What stands in `?order=`, as far as the field would take it. */
export function prefillOrder(typed: string | null): string {
  return typed !== null && typed.length <= orderLettersMax && plainWords.test(typed) ? typed : "";
}

/** The field for addresses is the accounts module's; rules know no other room, so the route hands it in. */
export function withdrawalForm<EmailField extends v.GenericSchema<string, EmailAddress>>(email: EmailField) {
  return v.object({
    name: v.pipe(
      v.string("name-missing"),
      v.trim(),
      v.nonEmpty("name-missing"),
      v.maxLength(nameLettersMax, "name-too-long"),
      v.regex(plainWords, "name-malformed"),
    ),
    order: v.pipe(
      v.string("order-missing"),
      v.trim(),
      v.nonEmpty("order-missing"),
      v.maxLength(orderLettersMax, "order-malformed"),
      v.regex(plainWords, "order-malformed"),
    ),
    email,
    intent: v.picklist(["declare", "confirm"], "intent-unknown"),
  });
}
