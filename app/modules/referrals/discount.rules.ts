/**
 * A friend's discount: part of the first payment goes back to its method, once per friend, mailbox and payment method. It is never more than
 * was paid, and never while somebody looks at it or asks for the payment back. Called by the way of a referral and by the pages.
 */
import { monthsLater } from "#app/core/time/time.ts";
import type { DiscountState } from "#app/modules/orders/order-discount.rules.ts";
import { knownMailboxReasons } from "./claim.rules.ts";
import { discountMonths, type ReferralState, type VoidReason } from "./rules.ts";

/** The first order of a friend by which money came in. */
export type FirstPayment = {
  orderId: string;
  invoiceId: string | null;
  amountMinor: number;
  refundedMinor: number;
  friendDiscountMinor: number;
  /** Taken off at the checkout, as builds before this one did. */
  discountMinor: number;
  dispute: string;
  isWithdrawn: boolean;
  /** When the plan was chosen, by our clock; the payment's own time is the provider's, in whole seconds. */
  createdAt: number;
};

export type Discount = { state: DiscountState; amountMinor: number };

type Facts = {
  referral: { state: ReferralState; signedUpAt: number; voidWhy: string | null };
  discount: Discount | null;
  first: FirstPayment | null;
};

/** Why a sign-up brings no discount from before there was a row for it. */
export type SignUpRefusal = "known-mailbox" | "operator";

export type DiscountStep =
  /** `isSettled`: nothing is to be given or judged, since it was taken off at the checkout. */
  | { kind: "open-discount"; amountMinor: number; isSettled: boolean }
  /** The sign-up was refused before a discount was opened, which nobody had told the friend: what they were promised is refused. */
  | { kind: "refuse-discount"; amountMinor: number; why: SignUpRefusal }
  | { kind: "pay-discount" }
  | { kind: "end-discount"; why: "money-back" };

/** What is next for a friend's discount; null: nothing, or nothing so far. */
export function nextDiscountStep({ referral, discount, first }: Facts, promisedMinor: number): DiscountStep | null {
  if (!first) return null;
  const leftMinor = leftOf(first);
  if (!discount) {
    const isSettled = first.discountMinor > 0;
    const amountMinor = isSettled || !isPromised(referral, first.createdAt) ? 0 : Math.min(promisedMinor, leftMinor);
    const why = refusalOf(referral);
    if (why) return amountMinor > 0 ? { kind: "refuse-discount", amountMinor, why } : null;
    // A reward that waits without a discount is from before there were any: the checkout had taken it off.
    if (referral.state !== "signed-up" && referral.state !== "qualified") return null;
    return { kind: "open-discount", amountMinor, isSettled };
  }
  if (discount.state !== "due" && discount.state !== "under-review") return null;
  if (leftMinor < discount.amountMinor) return { kind: "end-discount", why: "money-back" };
  // Sign-ups that came after it may have made theirs one of a burst.
  const isHeld = referral.state === "under-review" || isAskedBack(first);
  return discount.state === "due" && !isHeld ? { kind: "pay-discount" } : null;
}

/** Void from the sign-up on, since the mailbox has or had another account; or since an operator who looked at the sign-up refused it. */
function refusalOf({ state, voidWhy }: Facts["referral"]): SignUpRefusal | null {
  if (state !== "void") return null;
  return signUpRefusals.find((why) => voidReasonsOf(why).some((reason) => reason === voidWhy)) ?? null;
}

const signUpRefusals: readonly SignUpRefusal[] = ["known-mailbox", "operator"];

/** For which reasons such a referral is void. */
export function voidReasonsOf(why: SignUpRefusal): readonly VoidReason[] {
  return why === "operator" ? ["review"] : knownMailboxReasons;
}

/** The reasons to be void of which a friend who pays is told. */
export const toldVoidReasons: readonly VoidReason[] = signUpRefusals.flatMap(voidReasonsOf);

/**
 * What may go back of a first payment that has arrived, before anybody has judged whether it does; zero: nothing. While the sign-up is under
 * review nothing is judged. `refusal`: the sign-up was refused, so it doesn't.
 */
export function expectedDiscount(
  { referral, first }: Pick<Facts, "referral" | "first">,
  promisedMinor: number,
): { amountMinor: number; isReviewed: boolean; refusal: SignUpRefusal | null } {
  const isReviewed = referral.state === "under-review";
  const passed = isReviewed ? { ...referral, state: "signed-up" as const } : referral;
  const step = nextDiscountStep({ referral: passed, discount: null, first }, promisedMinor);
  if (step?.kind === "refuse-discount") return { amountMinor: step.amountMinor, isReviewed, refusal: step.why };
  return { amountMinor: step?.kind === "open-discount" ? step.amountMinor : 0, isReviewed, refusal: null };
}

/** What is left of it, but for the discount itself: that may have been given and not noted. */
function leftOf({ amountMinor, refundedMinor, friendDiscountMinor, dispute }: FirstPayment): number {
  return dispute === "lost" ? 0 : amountMinor - (refundedMinor - friendDiscountMinor);
}

/** By a bank that hasn't decided, or by a withdrawal that nobody has answered. */
function isAskedBack({ dispute, isWithdrawn }: FirstPayment): boolean {
  return isWithdrawn || (dispute !== "none" && dispute !== "won");
}

/** Who was brought before they chose the plan, and not too long ago. */
function isPromised({ signedUpAt }: { signedUpAt: number }, chosenAt: number): boolean {
  return signedUpAt <= chosenAt && chosenAt < monthsLater(signedUpAt, discountMonths);
}

/**
 * What goes back of a first charge, as far as can be said before it is paid; zero: nothing. While the sign-up is under review it can still be
 * refused.
 */
export function quoteDiscount(
  referral: { state: ReferralState; signedUpAt: number },
  chargedMinor: number,
  promisedMinor: number,
  now: number,
): number {
  return referral.state !== "void" && isPromised(referral, now) ? Math.min(promisedMinor, chargedMinor) : 0;
}
