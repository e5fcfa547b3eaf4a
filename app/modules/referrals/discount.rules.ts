/**
 * Decides a friend's discount: part of the first payment is refunded to its payment method. Invariants: once per friend, mailbox and
 * payment method; never more than was paid; never during a review, dispute or withdrawal. Called from the steps of a referral and the
 * pages.
 */
import type { InvoiceId } from "#app/core/stripe/ids.ts";
import type { OrderId } from "#app/core/id.ts";
import { monthsLater } from "#app/core/time/time.ts";
import type { DiscountState } from "#app/modules/billing/orders/order-discount.rules.ts";
import { knownMailboxReasons } from "./eligibility.rules.ts";
import { discountMonths, type ReferralState, type VoidReason } from "./rules.ts";

/** The friend's first paid order. */
export type FirstPaymentFacts = {
  orderId: OrderId;
  invoiceId: InvoiceId | null;
  amountMinor: number;
  refundedMinor: number;
  friendDiscountMinor: number;
  dispute: string;
  isWithdrawn: boolean;
  /** When the plan was chosen, by our clock; the payment's time is Stripe's, in whole seconds. */
  createdAt: number;
};

export type Discount = { state: DiscountState; amountMinor: number };

type Facts = {
  referral: { state: ReferralState; signedUpAt: number; voidWhy: string | null };
  discount: Discount | null;
  first: FirstPaymentFacts | null;
};

/** Why a sign-up without a row in the table gets no discount. */
export type SignUpRefusal = "known-mailbox" | "operator";

export type DiscountStep =
  | { kind: "open-discount"; amountMinor: number }
  /** The sign-up was refused before a discount was opened and without informing the friend: the promised discount is refused. */
  | { kind: "refuse-discount"; amountMinor: number; why: SignUpRefusal }
  | { kind: "pay-discount" }
  | { kind: "end-discount"; why: "money-back" };

/** The next step of a friend's discount, if there is one now. */
export function nextDiscountStep({ referral, discount, first }: Facts, promisedMinor: number): DiscountStep | null {
  if (!first) return null;
  const leftMinor = leftOf(first);
  if (!discount) {
    const amountMinor = isPromised(referral, first.createdAt) ? Math.min(promisedMinor, leftMinor) : 0;
    const why = refusalOf(referral);
    if (why) return amountMinor > 0 ? { kind: "refuse-discount", amountMinor, why } : null;
    if (referral.state !== "signed-up" && referral.state !== "qualified") return null;
    return { kind: "open-discount", amountMinor };
  }
  if (discount.state !== "due" && discount.state !== "under-review") return null;
  if (leftMinor < discount.amountMinor) return { kind: "end-discount", why: "money-back" };
  // Later sign-ups may have made theirs part of a burst.
  const isHeld = referral.state === "under-review" || isAskedBack(first);
  return discount.state === "due" && !isHeld ? { kind: "pay-discount" } : null;
}

/** Why the referral has been void since the sign-up: its mailbox has another account, or an operator refused it. */
function refusalOf({ state, voidWhy }: Facts["referral"]): SignUpRefusal | null {
  if (state !== "void") return null;
  return signUpRefusals.find((why) => voidReasonsOf(why).some((reason) => reason === voidWhy)) ?? null;
}

const signUpRefusals: readonly SignUpRefusal[] = ["known-mailbox", "operator"];

/** The reasons for which such a referral is void. */
export function voidReasonsOf(why: SignUpRefusal): readonly VoidReason[] {
  return why === "operator" ? ["review"] : knownMailboxReasons;
}

/** The reasons for being void that a paying friend is informed of. */
export const announcedVoidReasons: readonly VoidReason[] = signUpRefusals.flatMap(voidReasonsOf);

/**
 * What may be refunded of a first payment before that is decided, zero if nothing. `refusal` says why the sign-up was refused. During a
 * review nothing is decided.
 */
export function expectedDiscount(
  { referral, first }: Pick<Facts, "referral" | "first">,
  promisedMinor: number,
): { amountMinor: number; isUnderReview: boolean; refusal: SignUpRefusal | null } {
  const isUnderReview = referral.state === "under-review";
  const passed = isUnderReview ? { ...referral, state: "signed-up" as const } : referral;
  const step = nextDiscountStep({ referral: passed, discount: null, first }, promisedMinor);
  if (step?.kind === "refuse-discount") return { amountMinor: step.amountMinor, isUnderReview, refusal: step.why };
  return {
    amountMinor: step?.kind === "open-discount" ? step.amountMinor : 0,
    isUnderReview,
    refusal: null,
  };
}

/** What is left of the payment, not counting the discount itself, which may have been refunded without being stored. */
function leftOf({ amountMinor, refundedMinor, friendDiscountMinor, dispute }: FirstPaymentFacts): number {
  return dispute === "lost" ? 0 : amountMinor - (refundedMinor - friendDiscountMinor);
}

/** The money is asked back in a dispute, or by a withdrawal that isn't answered. */
function isAskedBack({ dispute, isWithdrawn }: FirstPaymentFacts): boolean {
  return isWithdrawn || (dispute !== "none" && dispute !== "won");
}

/** The friend was referred before choosing the plan, and recently enough. */
function isPromised({ signedUpAt }: { signedUpAt: number }, chosenAt: number): boolean {
  return signedUpAt <= chosenAt && chosenAt < monthsLater(signedUpAt, discountMonths);
}

/** The refund of a first charge, estimated before that is paid, zero if there is none. During a review it can still be refused. */
export function quoteDiscount(
  referral: { state: ReferralState; signedUpAt: number },
  chargedMinor: number,
  promisedMinor: number,
  now: number,
): number {
  return referral.state !== "void" && isPromised(referral, now) ? Math.min(promisedMinor, chargedMinor) : 0;
}
