/**
 * Decides how a contract is cancelled without signing in (§ 312k BGB), and what follows. Invariants: every declaration is stored and
 * confirmed to the address that it gives, whether it matches or not, and the answer is the same; a plan ends only if a paid order of that
 * number belongs to the account with that address, or to the one that is signed in. Called from `/cancel`, the cron job and operators' calls.
 */
import * as v from "valibot";
import { startOfDay } from "#app/core/time/calendar.ts";
import { dayMs, minuteMs } from "#app/core/time/time.ts";
import { printable } from "#app/core/text/text.ts";
import { emailField } from "#app/modules/accounts/rules.ts";
import type { Quota } from "#app/modules/codes/email-quotas.rules.ts";
import type { Subscription } from "#app/modules/subscriptions/rules.ts";
import { nameField, orderField } from "#app/modules/withdrawals/withdrawals.rules.ts";

export const cancellationStates = ["unmatched", "open", "done", "undone"] as const;
export type CancellationState = (typeof cancellationStates)[number];

export const cancellationKinds = ["ordinary", "extraordinary"] as const;
export type CancellationKind = (typeof cancellationKinds)[number];

/** Who declared it, as far as could be verified. */
export const cancellers = ["owner", "anyone"] as const;

/** How long a declaration is stored; claims from it are time-barred by then. */
export const cancellationRetentionMs = 3 * 365 * dayMs;

/** Characters of the reason for an extraordinary cancellation. */
const causeLengthMax = 1000;

/** How long its page shows a declaration in the browser that sent it. */
export const declarationShownMs = dayMs;

/**
 * Confirmations that waited for a quota use at most so many of a mailbox's emails in an hour, so that a stranger who declares again and
 * again can't keep its owner from getting a code to sign in.
 */
export const waitingPerMailboxMax = 2;

export type ConfirmationQuota = Quota<"too-many-emails" | "too-many-from-network" | "too-many-from-site">;

/** The quotas of a confirmation that waits. */
export function quotasOfWaiting(quotas: readonly ConfirmationQuota[]): ConfirmationQuota[] {
  return quotas.map((quota) =>
    quota.reason === "too-many-emails" ? { ...quota, max: Math.min(quota.max, waitingPerMailboxMax) } : quota,
  );
}

type Wanted = { endsOn: string | null };

/** What is next for a declaration that matched. */
type CancellationStep =
  /** Nothing runs, or it ends already. */
  | { kind: "done"; why: "no-plan" | "already" }
  /** The wanted day is in a later period, which has to be paid first. */
  | { kind: "wait"; until: number }
  | { kind: "cancel" };

/** A contract ends with a period: the one in which the wanted day is, or the running one if it is earlier or none was given. */
export function decideStep(
  { endsOn }: Wanted,
  running: Pick<Subscription, "cancelsAt" | "periodEndsAt"> | null,
  { timeZone }: { timeZone: string },
  now: number,
): CancellationStep {
  if (!running) return { kind: "done", why: "no-plan" };
  if (running.cancelsAt !== null) return { kind: "done", why: "already" };
  const wantedAt = endsOn === null ? null : startOfWantedDay(endsOn, timeZone);
  // Looked at each day, since a change of plan may begin another period.
  if (wantedAt !== null && wantedAt > Math.max(running.periodEndsAt, now)) return { kind: "wait", until: now + dayMs };
  return { kind: "cancel" };
}

function startOfWantedDay(endsOn: string, timeZone: string): number {
  const [year = 0, month = 0, day = 0] = endsOn.split("-").map(Number);
  return startOfDay({ year, month, day }, timeZone);
}

/** The wait before a declaration is tried again that Stripe didn't answer: from a minute to half a day. */
export function retryWaitMs(tries: number): number {
  return Math.min(2 ** Math.min(tries, 10), 720) * minuteMs;
}

type Listed = { state: CancellationState; kind: CancellationKind; failure: string | null; closedAt: number | null };

/** What an operator has to do. Null if nothing. The list's SQL repeats when that is so. */
export function whatToDoAbout({ state, kind, failure, closedAt }: Listed): string | null {
  if (closedAt !== null || state === "undone") return null;
  if (state === "unmatched") {
    return "find the person; if the contract is clear, cancel its subscription at Stripe, at the end of its period; then decide close with the answer";
  }
  if (kind === "extraordinary") {
    return "the plan ends with its period; decide whether the reason ends it now, and if so cancel it at Stripe and refund the rest; then decide close with the answer";
  }
  if (state === "open" && failure !== null) {
    return `the site tries again by itself; if it goes on, cancel the subscription at Stripe (${failure})`;
  }
  return null;
}

/** A reason of several lines. */
const causeField = v.pipe(
  v.optional(v.string(), ""),
  v.transform((typed) => typed.replaceAll(/\r\n?/g, "\n").trim()),
  v.check((typed) => typed.split("\n").every((line) => printable.test(line)), "cause-malformed"),
  v.maxLength(causeLengthMax, "cause-too-long"),
);

/** A day, or nothing for the earliest one. */
const endsOnField = v.pipe(
  v.optional(v.string(), ""),
  v.trim(),
  v.check((typed) => typed === "" || isDay(typed), "ends-on-malformed"),
);

/** Only days that the calendar has. */
function isDay(typed: string): boolean {
  const [, year, month, day] = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(typed)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(typed);
}

/** § 312k (2) BGB: kind and reason, who, which contract, when it ends, where the confirmation goes. `keep` takes back one that waits. */
export const cancellationForm = v.variant(
  "intent",
  [
    v.object({
      intent: v.literal("declare"),
      kind: v.picklist(cancellationKinds, "kind-missing"),
      cause: causeField,
      name: nameField,
      order: orderField,
      email: emailField,
      endsOn: endsOnField,
    }),
    v.object({ intent: v.literal("keep") }),
  ],
  "intent-unknown",
);

export type CancellationInput = Extract<v.InferOutput<typeof cancellationForm>, { intent: "declare" }>;

/** Whether the reason is missing, without which an extraordinary cancellation has no effect. */
export function lacksCause({ kind, cause }: Pick<CancellationInput, "kind" | "cause">): boolean {
  return kind === "extraordinary" && cause === "";
}
