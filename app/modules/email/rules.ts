/**
 * The mail module: an outbox. A mail is queued in the same batch as what it tells of, leaves right after the commit, and
 * is tried again by the clock when the other side was down. What it says is sealed in the table and wiped once it left.
 */
import { dayMs, minuteMs } from "#app/core/time/time.ts";

/**
 * Every mail we send, with the facts that its words need. Amounts, days and hours come as the recipient reads them,
 * formatted by the act that knows whom it tells. Addresses of pages are whole, from configuration. A letter with an
 * `offUrl` (`/settings#mails`) is one that people may switch off: the outbox refuses it for whoever has.
 */
export type EmailContent = AccountEmail | WaitlistEmail | OrderEmail | PlanEmail | ProductEmail;

export type AccountEmail =
  | { template: "code"; purpose: "sign-up" | "sign-in" | "change-email" | "fresh-proof"; code: string; url: string }
  | { template: "has-account"; code: string; url: string }
  | { template: "no-account"; url: string }
  | { template: "address-wanted" }
  /** To the old address; the new one is masked. */
  | { template: "address-changed"; to: string; url: string; until: string }
  /** To the old address, while it is held; the new one is masked. */
  | { template: "address-held"; on: string; to: string; url: string; until: string }
  | { template: "address-reverted"; to: string }
  | { template: "passkey-added"; name: string }
  | { template: "passkey-removed"; name: string }
  | { template: "licence-key-rotated" }
  | { template: "licence-key-shown"; device: string }
  | { template: "sessions-ended"; by: string; at: string }
  | { template: "hundred-wrong-codes" }
  | { template: "data-downloaded"; device: string }
  | { template: "leaving"; until: string; url: string }
  | { template: "restored"; url: string }
  | { template: "gone" };

export type WaitlistEmail =
  | { template: "waitlist-confirm"; url: string; what: string }
  | { template: "waitlist-place"; url: string; what: string }
  | { template: "waitlist-invited"; url: string; what: string; until: string }
  | { template: "waitlist-reminder"; url: string; what: string; until: string }
  | { template: "waitlist-joined"; url: string; what: string }
  | { template: "doors-open"; url: string; what: string };

export type OrderEmail =
  | ({ template: "receipt"; what: string; amount: string; url: string } & WayOut)
  | { template: "payment-processing"; what: string; amount: string; url: string }
  | ({ template: "payment-arrived"; what: string; amount: string; url: string } & WayOut)
  | { template: "payment-failed"; what: string; amount: string; url: string }
  | { template: "payment-action"; what: string; amount: string; url: string }
  /** `planEnded`: with the money went the plan that it had paid for. */
  | { template: "refund"; what: string; amount: string; planEnded: boolean; url: string }
  | { template: "friend-discount"; what: string; amount: string; url: string }
  | {
      template: "friend-discount-review";
      why: "payment-method" | "domain" | "provider";
      amount: string;
      url: string;
    }
  | {
      template: "friend-discount-refused";
      why: "known-mailbox" | "known-method" | "operator";
      amount: string;
      url: string;
    }
  | { template: "dispute-opened"; what: string; amount: string; url: string }
  | { template: "dispute-won"; what: string; amount: string; url: string }
  | { template: "dispute-lost"; what: string; amount: string; url: string }
  /** What was declared, word for word, and when. */
  | { template: "withdrawal-acknowledged"; name: string; order: string; email: string; declared: string }
  /** Without `url`, and `order` null, where no order of ours was meant; `reason` is the operator's. */
  | { template: "withdrawal-contested"; order: string | null; declared: string; reason: string; url?: string }
  /** A stranger named no order of the address: nothing that they typed is mailed. */
  | { template: "withdrawal-unmatched"; declared: string };

/** The last day on which the contract can be withdrawn from, and where; null where there is none. */
type WayOut = { withdrawUntil: string | null; withdrawUrl: string | null };

export type PlanEmail =
  /** No next try: that was the last. No day until which there is access: it is locked already. */
  | {
      template: "renewal-failed";
      what: string;
      amount: string;
      nextTry: string | null;
      accessUntil: string | null;
      /** Locked at once, since within so many days an earlier renewal was never paid; null: it isn't, or not for that. */
      graceSpentDays: number | null;
      url: string;
    }
  | { template: "card-expiring"; what: string; card: string; expires: string; nextCharge: string; url: string }
  | { template: "plan-locked"; what: string; url: string }
  | { template: "plan-unlocked"; what: string; url: string }
  /** `amount` is null where nothing is going to be charged. */
  | { template: "plan-changed"; from: string; to: string; amount: string | null; nextCharge: string; url: string }
  | { template: "downgrade-planned"; from: string; to: string; changes: string; url: string }
  | { template: "plan-cancelled"; what: string; until: string; url: string }
  /** `why`: what its owner should be reminded of; null: nothing, or another mail says it. */
  | { template: "plan-ended"; what: string; ended: string; why: "cancelled" | "unpaid" | null; url: string }
  | { template: "cancellation-undone"; what: string; amount: string | null; nextCharge: string; url: string }
  | { template: "renewal-notice"; what: string; amount: string; nextCharge: string; url: string; offUrl: string };

export type ProductEmail =
  /** `devices` names the first of those that are removed when nobody chooses, and `more` says how many others there are. */
  | {
      template: "seats-reduced";
      used: number;
      seats: number;
      removed: string;
      devices: string;
      more: number;
      url: string;
    }
  | { template: "seats-released"; seats: number; devices: string; more: number; url: string }
  | { template: "reward-earned"; amount: string; url: string; offUrl: string }
  | { template: "reward-reversed"; cause: "money-back" | "own-card"; amount: string; url: string; offUrl: string }
  /** `what` is the name of a meter: "Storage". */
  | { template: "usage-high"; what: string; used: string; limit: string; url: string; offUrl: string }
  | { template: "usage-full"; what: string; used: string; limit: string; url: string; offUrl: string };

/** What a person may do without, kind by kind: told of things that are to be seen on the pages, too. */
export const mailKinds = ["renewals", "rewards", "usage"] as const;
export type MailKind = (typeof mailKinds)[number];

type OptionalTemplate = Extract<EmailContent, { offUrl: string }>["template"];

const kinds: Record<OptionalTemplate, MailKind> = {
  "renewal-notice": "renewals",
  "reward-earned": "rewards",
  "reward-reversed": "rewards",
  "usage-high": "usage",
  "usage-full": "usage",
};

/** Which switch a letter hangs on; null for those that always come. */
export function kindOf(template: string): MailKind | null {
  return template in kinds ? kinds[template as OptionalTemplate] : null;
}

export type MailState = "queued" | "sent" | "failed";

/** Waits between tries: the first follows the commit at once. After the last the mail is failed and shows to operators. */
export const retryWaitsMs = [0, 1, 2, 5, 15, 60, 180, 720].map((minutes) => minutes * minuteMs);

/** A try that never reported back (a killed Worker) is taken up again after this. */
export const tryLeaseMs = 2 * minuteMs;

/** A first try that takes this long is said to be late. Together with the wait after it no longer than a lease. */
export const lateAfterMs = minuteMs;

/**
 * How long a row says what became of its mail. Longer than a yearly period, since what is told once in a period is told once
 * because its row is still there. It holds no address and no words by then.
 */
export const mailKeptMs = 400 * dayMs;

/** How long a mail that failed can be sent again by an operator: what it says is kept, sealed, until then; of one with a code the recipient. */
export const failedKeptMs = 7 * dayMs;

export type Mail = { to: string; subject: string; text: string; html: string };

/** When the next try is due after `tries` failed ones; null when they are used up. */
export function nextTryAt(tries: number, now: number): number | null {
  const wait = retryWaitsMs[tries];
  return wait === undefined ? null : now + wait;
}

/** What a person who waits for a mail should know of it. */
export type MailStanding = "leaving" | "late" | "sent" | "failed";

/**
 * Late: a try has failed, or the first one hangs. When it began follows from when the next is due; after a failure that comes
 * out as `lateAfterMs` ago, so that the page says so at once.
 */
export function standingOf(
  mail: { state: MailState; tries: number; nextTryAt: number | null },
  now: number,
): MailStanding {
  if (mail.state !== "queued") return mail.state;
  const begunAt = (mail.nextTryAt ?? now) - (mail.tries === 0 ? 0 : tryLeaseMs);
  return mail.tries > 1 || now - begunAt >= lateAfterMs ? "late" : "leaving";
}

/** Every fact as one line: whatever a passkey is called, it starts no line of its own in a mail. */
export function cleanFacts(content: EmailContent): EmailContent {
  const facts = Object.entries(content).map(([name, fact]) => [name, typeof fact === "string" ? oneLine(fact) : fact]);
  // The same keys with the same kinds of values.
  return Object.fromEntries(facts) as EmailContent;
}

/**
 * No CR, LF, NUL, other control or Unicode line break gets through, nothing that turns the direction of reading, and no run
 * of blanks. Blanks that keep an amount and its currency together stay.
 */
export function oneLine(text: string): string {
  return text.replace(/[ \u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
}

/** The sender line of every mail. A bare address goes by the product's name; one that brings a name keeps it. */
export function senderOf(product: { name: string }, from: string): string {
  return from.includes("<") ? from : `${product.name} <${from}>`;
}
