/**
 * Decides how a withdrawal is declared, and what happens to it. Invariants: the page needs no account and answers the same whether the
 * order exists or not; declaring decides nothing: operators read it, and their refund settles it. Called from the withdrawal page, the
 * order's page, the reconciler and the operators' calls.
 */
import { type AccountId, readId } from "#app/core/id.ts";
import { statesBefore } from "#app/core/states-before.ts";
import { type MeantOrder, spellNumber } from "#app/modules/billing/orders/rules.ts";
import { dayOf, spellDay, startOfDay } from "#app/core/time/calendar.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { asciiDigits } from "#app/core/text/digits.ts";
import { keyedHash } from "#app/core/hash.ts";
import { dayMs } from "#app/core/time/time.ts";

export const withdrawalStates = ["declared", "acknowledged", "refunded", "contested"] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];

/**
 * Who declared it, as far as could be verified. An order's number and address are on its receipt, so others may know them: a withdrawal
 * by `anyone` is shown to operators like the rest, and doesn't prevent the owner's.
 */
export const declarers = ["owner", "mailbox", "anyone"] as const;

export type Declared = {
  declaredAt: number;
  state: WithdrawalState;
  declaredBy: (typeof declarers)[number];
  contestReason: string | null;
};

/** The withdrawal that a contract's orders show. `rows` are those about the contract, newest first. */
export function shownDeclaration<Row extends Declared>(rows: readonly Row[]): Row | null {
  const byOwner = rows.filter(({ declaredBy }) => declaredBy !== "anyone");
  return byOwner.find(({ state }) => state !== "contested") ?? byOwner[0] ?? rows[0] ?? null;
}

/** Whether the owner has a valid withdrawal, so that there is nothing to declare again. */
export function isDeclaredByOwner({ state, declaredBy }: Pick<Declared, "state" | "declaredBy">): boolean {
  return declaredBy !== "anyone" && state !== "contested";
}

/** The transitions of a withdrawal. A refund that the bank returned reopens it. */
export const withdrawalTransitions: Record<WithdrawalState, readonly WithdrawalState[]> = {
  declared: ["acknowledged", "refunded", "contested"],
  acknowledged: ["refunded", "contested"],
  refunded: ["declared", "acknowledged"],
  contested: [],
};

/** The states that wait for an operator. */
export const unansweredWithdrawals = ["declared", "acknowledged"] as const satisfies WithdrawalState[];

export function isUnanswered({ state }: { state: WithdrawalState }): boolean {
  return unansweredWithdrawals.some((unanswered) => unanswered === state);
}

/** Whether the owner's open withdrawal is from an order of the running plan, not of one that ended before. */
export function isPlanWithdrawn(
  withdrawals: readonly (Pick<Declared, "state" | "declaredBy"> & { paidAt: number | null })[],
  running: { startedAt: number } | null,
): boolean {
  if (!running) return false;
  return withdrawals.some(
    (withdrawal) =>
      isUnanswered(withdrawal) && isDeclaredByOwner(withdrawal) && (withdrawal.paidAt ?? 0) >= running.startedAt,
  );
}

/** The states from which a withdrawal can reach `to`. */
export const withdrawalsBefore = (to: WithdrawalState) => statesBefore(withdrawalStates, withdrawalTransitions, to);

/** The same declaration within this time is a double submission. */
export const sameDeclarationMs = dayMs;
/** How long a withdrawal is stored; claims from it are time-barred by then. */
export const withdrawalRetentionMs = 3 * 365 * dayMs;

/** Directive 2011/83/EU, article 13: the refund is due by the end of the fourteenth day after the declaration. */
export const refundWithinDays = 14;

/** The end of that fourteenth day in the seller's time zone. Null if the withdrawal is closed. */
export function refundDueAt(
  { state, declaredAt }: { state: WithdrawalState; declaredAt: number },
  { timeZone }: { timeZone: string },
): number | null {
  if (!isUnanswered({ state })) return null;
  const { day, ...month } = dayOf(declaredAt, timeZone);
  return startOfDay({ ...month, day: day + refundWithinDays + 1 }, timeZone);
}

/** The last day on which the refund is due, in the seller's time zone: `2026-12-04`. */
export function refundDueOn(dueAt: number | null, { timeZone }: { timeZone: string }): string | null {
  // `dueAt` is the start of the next day.
  return dueAt === null ? null : spellDay(dayOf(dueAt - 1, timeZone));
}

export function readMeantOrder(typed: string): MeantOrder | null {
  const plain = asciiDigits(typed)
    .replaceAll(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll(/[\s#]/g, "")
    .toLowerCase();
  const [, year, inYear] = /^(\d{4})-(\d{1,9})$/.exec(plain) ?? [];
  if (year && inYear) return { year: Number(year), inYear: Number(inYear) };
  const id = /^ord_[a-z0-9]{1,40}$/.test(plain) ? readId("ord", plain) : null;
  return id && { id };
}

/** In our own spelling, however it was entered. */
export function spellMeantOrder(meant: MeantOrder): string {
  return "id" in meant ? meant.id : spellNumber(meant.year, meant.inYear);
}

/** `ref` is the order's unguessable id, from a link in an email about it. It proves that a reader of that email meant its number. */
export type DeclarationInput = { name: string; order: string; email: EmailAddress; ref?: string | undefined };

/** The name under which equal declarations are counted. A stranger's doesn't count as the account's own. */
export function declarationName(
  pepper: string,
  { name, order, email }: DeclarationInput,
  accountId: AccountId | null,
): Promise<string> {
  const fields = [email.canonical, order, name, ...(accountId === null ? [] : [accountId])];
  return keyedHash(pepper, "withdrawal declared", fields.join("\n"));
}

/**
 * Allows letters, figures and the punctuation of names and numbers: no line breaks, and nothing that mail clients turn into a link, so no
 * letter or figure may follow a dot.
 */
export const plainWords = /^(?!.*\.[\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N} .,'’`´&()#_\u2010-\u2015-]+$/u;
/** Characters of a name; the same as in the profile. */
export const nameLengthMax = 80;
/** Longer than any order number or id. */
export const orderLengthMax = 60;

/** The value of `?order=`, if the field accepts it. */
export function prefillOrder(typed: string | null): string {
  return typed !== null && typed.length <= orderLengthMax && plainWords.test(typed) ? typed : "";
}
