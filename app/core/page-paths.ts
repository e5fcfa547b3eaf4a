import type { OrderId } from "./id.ts";
import type { Interval } from "./time/interval.ts";

/** Paths of the pages that emails, Stripe and the product API link to; pages use `href()`. A test checks that each is a route. */
export const pagePaths = {
  signUp: "/signup",
  verify: "/verify",
  overview: "/settings",
  orders: "/settings/orders",
  upgrade: "/settings/upgrade",
  referral: "/settings/referral",
  notifications: "/settings/notifications",
  withdraw: "/withdraw",
  cancel: "/cancel",
  unsubscribe: "/unsubscribe",
  terms: "/legal/terms",
} as const;

export function orderPath(id: OrderId): string {
  return `/settings/orders/${id}`;
}

/** The review of a plan, before it is paid or changed to. */
export function reviewPath({ planId, interval }: { planId: string; interval: Interval }): string {
  return `${pagePaths.upgrade}?${new URLSearchParams({ plan: planId, interval })}`;
}

/** The page that shows the result of an order's payment. */
export function resultPath(
  status: "success" | "processing" | "action" | "failed" | "cancelled" | "expired",
  id: OrderId,
): string {
  return `/payment/${status}?order=${id}`;
}

/** A page of the product's own, below the URL segment that its config names. */
export function segmentPath({ segment }: { segment: string }, page: string): string {
  return `/settings/${segment}/${page}`;
}
