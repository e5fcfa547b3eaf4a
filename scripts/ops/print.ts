import type { DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import { printPerson } from "./person.ts";
import { isRow, money, quoted, type Row, spell, table } from "./table.ts";
import { printDecisionPreview } from "./decision-previews.ts";

type How = { command: string; args: string[]; isAll: boolean };

/** What a command prints of an answer without `--json`. */
export function print(body: unknown, { command, args, isAll }: How): string {
  if (!isRow(body)) return spell(body);
  if (command === "person") return printPerson(body, isAll);
  if (command === "order") return printOrder(body);
  if (isRow(body["told"])) return printOutcome(body);
  if (isRow(body["totals"]) && isRow(body["next"])) return printReview(body, body["totals"], body["next"]);
  const list = Object.entries(body).find(([, part]) => Array.isArray(part));
  if (typeof body["total"] === "number" && list) {
    return printList(list, { total: body["total"], next: body["next"] }, [command, ...args].join(" "));
  }
  return spell(body);
}

/**
 * The result, and the email or page that the customer gets. The site wrote the answer: it has the fields of `told`.
 */
function printOutcome({ told: preview, people, done: _done, ...facts }: Row): string {
  const list = Array.isArray(people) ? people.filter(isRow) : [];
  return [
    ["Done.", ...Object.entries(facts).map(([name, value]) => `${name}: ${String(value)}`)].join(" "),
    ...(list.length > 0 ? [table(list, "  ")] : []),
    printDecisionPreview(preview as DecisionPreview),
  ].join("\n\n");
}

/** The order, followed by what the customer gets when it is refunded, which is done in Stripe's dashboard. */
function printOrder({ refund, numberYear: _year, numberInYear: _inYear, ...order }: Row): string {
  return [spell(order), ...(isRow(refund) ? [printDecisionPreview(refund as DecisionPreview)] : [])].join("\n\n");
}

function printReview(body: Row, totals: Row, next: Row): string {
  const lists = Object.entries(totals).map(([name, total]) =>
    printList([name, body[name]], { total, next: next[name] }, `review ${name}`),
  );
  return lists.join("\n\n");
}

function printList(
  [name, list]: [string, unknown],
  { total, next }: { total: unknown; next: unknown },
  again: string,
): string {
  const rows = Array.isArray(list) ? list.filter(isRow).map((row) => describe(name, row)) : [];
  const cursor = typeof next === "string" ? `; more: npm run ops -- ${again} --after '${next}'` : "";
  return `${name}: ${rows.length} of ${String(total)}${cursor}\n${table(rows, "  ")}`;
}

/** The fields of each list that a decision needs: due date, owner and the id for the decision. `--json` has the rest. */
const described: Record<string, (row: Row) => Row> = {
  withdrawals: ({ id, refundDueOn, number, orderTyped, refundOrder, email, declaredBy, contestReason, ...row }) => ({
    id,
    due: refundDueOn,
    order: number ?? quoted(orderTyped),
    owed: money(row["owedMinor"], row["currency"]),
    credit: money(row["owedCreditMinor"] || null, row["currency"]),
    refund: refundOrder,
    email,
    by: declaredBy,
    reason: contestReason,
  }),
  cancellations: ({ id, number, orderTyped, name, email, kind, reason, endsOn, declaredAt, todo }) => ({
    id,
    declared: declaredAt,
    order: number ?? quoted(orderTyped),
    name: quoted(name),
    email,
    kind,
    reason: reason === null ? "" : quoted(reason),
    wanted: endsOn,
    todo,
  }),
  mismatches: ({ number, email, planId, interval, askedMinor, askedCurrency, todo, paidAt, ...row }) => ({
    number,
    email,
    plan: `${String(planId)} ${String(interval)}`,
    asked: money(askedMinor, askedCurrency),
    paid: money(row["amountMinor"], row["currency"]),
    day: dayOf(paidAt),
    todo,
  }),
  disputes: ({ number, disputeDueAt, amountMinor, currency, email, dispute, paidAt }) => ({
    number,
    due: disputeDueAt,
    amount: money(amountMinor, currency),
    email,
    state: dispute,
    paid: dayOf(paidAt),
  }),
  fraudWarnings: ({ number, paymentId, amountMinor, currency, email, fraudType, warnedAt, todo }) => ({
    number: number ?? paymentId,
    amount: money(amountMinor, currency),
    email,
    reported: fraudType,
    day: dayOf(warnedAt),
    todo,
  }),
  plans: ({ id, email, planId, interval, state, why, todo, endedAt }) => ({
    id,
    email,
    plan: `${String(planId)} ${String(interval)}`,
    state,
    why,
    ended: dayOf(endedAt),
    todo,
  }),
  unclaimed: ({ id, email, planId, reason, foundAt, todo }) => ({
    customer: id,
    email,
    plan: planId,
    why: reason,
    since: dayOf(foundAt),
    todo,
  }),
  failedEvents: ({ id, type, tries, receivedAt, customerId, paymentId, email, failure }) => ({
    id,
    type,
    tries,
    received: receivedAt,
    customer: email ?? customerId ?? paymentId,
    why: failure,
  }),
  friendDiscounts: ({ id, amountMinor, currency, friend, why, createdAt }) => ({
    id,
    amount: money(amountMinor, currency),
    friend,
    why,
    since: dayOf(createdAt),
  }),
  // Without a decision, these go ahead then.
  referrals: ({ id, waitsUntil, referrer, friend }) => ({ id, due: waitsUntil, referrer, friend }),
  failedMails: ({ id, createdAt, to, template, refusal, resendableUntil }) => ({
    id,
    queued: createdAt,
    to,
    template,
    refusal,
    due: resendableUntil,
  }),
  entries: ({ id, gate, state, email, place, friends, review, confirmedAt, invitationExpiresAt, returned }) => ({
    id,
    gate,
    state,
    email,
    place,
    friends,
    review: review === "none" ? "" : review,
    confirmed: dayOf(confirmedAt),
    until: invitationExpiresAt,
    returned,
  }),
  acts: ({ beganAt, operator, outcome, call, subject, reason, refusal }) => ({
    at: beganAt,
    operator,
    outcome,
    call,
    subject,
    refusal,
    reason,
  }),
};

function dayOf(instant: unknown): string {
  return String(instant ?? "").slice(0, 10);
}

function describe(name: string, row: Row): Row {
  return described[name]?.(row) ?? row;
}
