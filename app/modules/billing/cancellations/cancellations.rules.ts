/**
 * Decides how a contract is cancelled without signing in (§ 312k BGB), and what follows. Invariants: every declaration is stored and
 * confirmed to the address that it gives, whether it matches or not, and the answer is the same; a plan ends only if a paid order of that
 * number belongs to the account with that address, or to the one that is signed in. Called from `/cancel`, the cron job and operators' calls.
 */
import { startOfDay } from "#app/core/time/calendar.ts";
import { dayMs } from "#app/core/time/time.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { cancelledEndsAt } from "#app/modules/billing/subscriptions/notice.rules.ts";
import type { Subscription } from "#app/modules/billing/subscriptions/rules.ts";

export const cancellationStates = ["unmatched", "open", "done", "undone"] as const;
export type CancellationState = (typeof cancellationStates)[number];

export const cancellationKinds = ["ordinary", "extraordinary"] as const;
export type CancellationKind = (typeof cancellationKinds)[number];

/** Who declared it, as far as could be verified. */
export const cancellers = ["owner", "anyone"] as const;

/** How long a declaration is stored; claims from it are time-barred by then. */
export const cancellationRetentionMs = 3 * 365 * dayMs;

/** Characters of the reason for an extraordinary cancellation. */
export const causeLengthMax = 1000;

/** How long its page shows a declaration in the browser that sent it. */
export const declarationShownMs = dayMs;

type Wanted = { endsOn: string | null; declaredAt: number };

/** What is next for a declaration that matched. */
type CancellationStep =
  /** Nothing runs, or it ends already, no later than by this declaration. */
  | { kind: "done"; why: "no-plan" | "already" }
  /** The wanted day is in a later period, which has to be paid first. */
  | { kind: "wait"; until: number }
  /** `wantedAt`: the end of the wanted day, before which a plan that ends with notice doesn't end. */
  | { kind: "cancel"; wantedAt: number | null };

/**
 * A contract ends with a period: the one in which the wanted day is, or the running one if it is earlier or none was given; a renewed year
 * with notice. `renewedUntil`: as in notice.rules.ts.
 */
export function decideStep(
  { endsOn, declaredAt }: Wanted,
  running: Pick<Subscription, "interval" | "cancelsAt" | "periodEndsAt"> | null,
  product: Pick<ProductConfig, "timeZone" | "afterFirstTerm">,
  { renewedUntil, now }: { renewedUntil: number | null; now: number },
): CancellationStep {
  if (!running) return { kind: "done", why: "no-plan" };
  const { cancelsAt, periodEndsAt } = running;
  const wantedAt = endsOn === null ? null : startOfWantedDay(endsOn, product.timeZone);
  if (wantedAt !== null && wantedAt > Math.max(periodEndsAt, now)) {
    if (cancelsAt !== null && cancelsAt <= wantedAt + dayMs) return { kind: "done", why: "already" };
    // Looked at each day, since a change of plan may begin another period.
    return { kind: "wait", until: now + dayMs };
  }
  const wantedUntil = wantedAt === null || wantedAt < now ? null : wantedAt + dayMs;
  const endsAt = cancelledEndsAt(running, product, { renewedUntil, wantedAt: wantedUntil, declaredAt, now });
  if (cancelsAt !== null && cancelsAt <= endsAt) return { kind: "done", why: "already" };
  return { kind: "cancel", wantedAt: wantedUntil };
}

function startOfWantedDay(endsOn: string, timeZone: string): number {
  const [year = 0, month = 0, day = 0] = endsOn.split("-").map(Number);
  return startOfDay({ year, month, day }, timeZone);
}

type Listed = { state: CancellationState; kind: CancellationKind; failure: string | null; closedAt: number | null };

/** What an operator has to do. Null if nothing. An answer settles no failure. The list's SQL repeats when that is so. */
export function whatToDoAbout({ state, kind, failure, closedAt }: Listed): string | null {
  const aboutFailure =
    state === "open" && failure !== null
      ? `the site tries again by itself; if it goes on, see in Stripe what keeps the subscription from being cancelled (${failure})`
      : null;
  if (closedAt !== null || state === "undone") return aboutFailure;
  if (state === "unmatched") {
    return "find the person; if the contract is clear, decide match with the number of its order, which cancels the plan; else decide close with the answer";
  }
  if (kind === "extraordinary") {
    return "the plan ends with its period; decide whether the reason ends it now, and if so cancel it at Stripe and refund the rest; then decide close with the answer";
  }
  return aboutFailure;
}

/** Characters of the name, and of the contract or order. */
export const lineLengthMax = 200;

/** What was typed. `endsOn` is a day such as 2027-06-30, or empty for the earliest one. */
export type CancellationInput = {
  kind: CancellationKind;
  cause: string;
  name: string;
  order: string;
  email: EmailAddress;
  endsOn: string;
};

/** Whether the reason is missing, without which an extraordinary cancellation has no effect. */
export function lacksCause({ kind, cause }: Pick<CancellationInput, "kind" | "cause">): boolean {
  return kind === "extraordinary" && cause === "";
}
