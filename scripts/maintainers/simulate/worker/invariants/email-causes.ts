import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { wantedDaysMax } from "../../deeds.rules.ts";
import { waitlistCauses } from "#app/features/waitlist/tools/simulated-emails.ts";
import type { Deed } from "../../story.ts";
import { anyone, type Cause, never, once } from "./cause.ts";

/** Days until an email is written once the site has heard of its cause, at the latest with its next question to Stripe. */
const whenHeard = 6;
const ever = 10_000;

const owner = (withinDays: number, ...any: Deed["do"][]): Cause => ({ did: { any, by: "owner", withinDays } });
const signIns: Deed["do"][] = ["signs in", "signs in on another browser", "mistypes a code"];
/** Anyone who knows an account's address and the number of its order can. For a later day, its plan is cancelled when that is near. */
const declares = {
  any: ["declares a cancellation"],
  by: "anyone",
  withinDays: whenHeard + wantedDaysMax,
} satisfies Cause["did"];

const ofOrder = (condition: string) => `exists (select 1 from orders o where o.id = m.order_id and ${condition})`;
const ofPlan = (condition: string) =>
  `exists (select 1 from subscriptions s where s.account_id = m.recipient_id and ${condition})`;
const ofReferral = (who: "referrer_id" | "friend_id", condition: string) =>
  `exists (select 1 from referrals r where r.${who} = m.recipient_id and ${condition})`;
const ofDiscount = (condition: string) =>
  `exists (select 1 from friend_discounts d where d.friend_id = m.recipient_id and ${condition})`;

/** The cause of every template. The compiler asks for a new one's. With `never`, nothing in a story leads to it. */
export const emailCauses: Record<EmailContent["template"], Cause> = {
  ...waitlistCauses,
  code: anyone("signs up", "changes address", ...signIns),
  "has-account": anyone("signs up"),
  "no-account": anyone(...signIns),
  "address-wanted": anyone("changes address"),
  "address-changed": owner(once, "changes address"),
  "address-held": anyone("signs up", "changes address", ...signIns),
  "address-reverted": anyone("takes the old address back"),
  "passkey-added": never,
  "passkey-removed": never,
  "licence-key-rotated": never,
  "licence-key-shown": owner(once, "activates a device"),
  "sessions-ended": owner(once, "signs out everywhere"),
  "hundred-wrong-codes": anyone("mistypes a code"),
  "data-downloaded": owner(once, "downloads the data"),
  "account-closed": owner(once, "closes the account"),
  restored: owner(once, "restores the account"),
  "account-erased": {
    rows: "exists (select 1 from accounts a where a.id = m.recipient_id and a.state = 'erased')",
    // An open declaration of withdrawal delays the erasure.
    ...owner(ever, "closes the account"),
  },
  receipt: { rows: ofOrder("o.number_year is not null") },
  "receipt-copy": never,
  "payment-processing": { rows: ofOrder("1"), paidBy: ["bank debit", "bank debit that fails"] },
  "payment-arrived": { rows: ofOrder("o.number_year is not null"), paidBy: ["bank debit"] },
  "payment-failed": { rows: ofOrder("o.state = 'failed'"), hasFailedCharge: true },
  "payment-action": { rows: ofOrder("o.kind = 'renewal'"), paidBy: ["card to confirm"] },
  refund: { rows: ofOrder("o.refunded_minor > 0") },
  // The site sells at the prices of its own config alone.
  "payment-mismatch": never,
  "friend-discount": { rows: ofOrder("o.friend_discount_minor > 0") },
  "friend-discount-review": { rows: ofDiscount("(d.state = 'under-review' or d.decision is not null)") },
  "friend-discount-refused": { rows: ofDiscount("d.state = 'refused'") },
  "dispute-opened": { rows: ofOrder("o.dispute <> 'none'"), ...owner(ever, "disputes") },
  "dispute-won": { rows: ofOrder("o.dispute = 'won'"), ...owner(ever, "wins the dispute") },
  // A bank also decides if no one answers.
  "dispute-lost": { rows: ofOrder("o.dispute = 'lost'"), ...owner(ever, "disputes") },
  "credit-note": {
    rows: ofOrder("exists (select 1 from documents d where d.order_id = o.id and d.kind = 'credit-note')"),
  },
  "withdrawal-acknowledged": anyone("withdraws"),
  "withdrawal-unmatched": anyone("withdraws"),
  "withdrawal-contested": {
    // The erasure of an account removes the reason.
    rows: "exists (select 1 from withdrawals w where m.id = 'mail_' || w.id || '.contested' and w.state = 'contested')",
    // Goes to the address of the declaration, which may be another account's by now.
    ...anyone("has a withdrawal contested"),
  },
  // It waits while the quotas of emails are full.
  "cancellation-received": {
    rows: "exists (select 1 from cancellations c where m.id = 'mail_' || c.id)",
    did: declares,
  },
  "cancellation-outcome": {
    rows: "exists (select 1 from cancellations c where m.id in ('mail_' || c.id || '.outcome', 'mail_' || c.id || '.planned'))",
    did: declares,
  },
  "cancellation-answered": never,
  "renewal-failed": { rows: ofOrder("o.kind = 'renewal'"), hasFailedCharge: true },
  "card-expiring": never,
  "plan-locked": { rows: ofPlan("s.started_at < m.created_at"), hasFailedCharge: true },
  // Nobody in the simulation gives trials or pauses plans.
  "plan-paused": never,
  "plan-duplicate": { rows: ofPlan("s.end_cause = 'duplicate'") },
  "plan-unlocked": { rows: ofPlan("s.state = 'active'"), hasFailedCharge: true },
  "plan-changed": owner(ever, "changes plan"),
  "downgrade-planned": owner(whenHeard, "changes plan"),
  // That it is its owner who asked for it is an invariant of plans.
  "plan-cancelled": { did: { ...declares, any: ["cancels", "declares a cancellation"] } },
  "cancellation-undone": owner(whenHeard, "resumes", "changes plan", "keeps the plan"),
  "plan-ended": { rows: ofPlan("s.state = 'ended'") },
  "renewal-notice": { rows: ofPlan("(s.interval = 'year' or s.pending_interval = 'year')"), isCharged: true },
  "seats-reduced": {
    rows: "exists (select 1 from seat_reductions r where r.account_id = m.recipient_id)",
    ...owner(ever, "activates a device"),
  },
  "seats-released": {
    rows: "exists (select 1 from devices d where d.account_id = m.recipient_id and d.state <> 'active')",
    ...owner(ever, "activates a device"),
  },
  "reward-earned": { rows: ofReferral("referrer_id", "r.approved_at is not null") },
  "reward-reversed": { rows: ofReferral("referrer_id", "r.state = 'void'") },
  "usage-high": owner(once, "reports usage"),
  "usage-full": owner(once, "reports usage"),
};
