import type { App } from "#app/context.ts";
import { type ChangeRefusal, judgeChange, type Timing, timeChange } from "#app/domain/plans/change.rules.ts";
import type { Subscription } from "#app/domain/plans/rules.ts";
import { findPlan, gateGuards, type Interval, priceKey, type ProductConfig } from "#app/domain/product/rules.ts";
import type { CheckoutRefusal } from "./start-checkout.server.ts";

type Powers = Pick<App, "product" | "gate" | "payments">;
type Payments = NonNullable<App["payments"]>;
export type Wish = { planId: string; interval: Interval };

export type StartChangeRefusal = ChangeRefusal | { reason: "no-plan" } | CheckoutRefusal;

/** What a change leads to, before anybody confirms it. `charge` is null where nothing is charged now. */
export type ChangeOffer = {
  running: Subscription;
  timing: Timing | null;
  refusal: StartChangeRefusal | null;
  charge: Extract<Awaited<ReturnType<Payments["previewChange"]>>, { ok: true }>["value"] | null;
};

/** When a change would begin and what it would cost now, as the provider reckons it. */
export async function offerChange(app: Powers, running: Subscription, wish: Wish): Promise<ChangeOffer> {
  const { timing, refusal } = judgeWish(app, running, wish);
  if (refusal || timing !== "now" || !app.payments) return { running, timing, refusal, charge: null };
  const charge = await previewFor(app.payments, running, wish, null);
  return charge.ok
    ? { running, timing, refusal, charge: charge.value }
    : { running, timing, refusal: charge.refusal, charge: null };
}

/** When a wish would begin, and why it can't be had. */
export function judgeWish(
  app: Powers,
  running: Subscription,
  wish: Wish,
): { timing: Timing | null; refusal: StartChangeRefusal | null } {
  const timing = timeChange(running, wish, (planId) => rankOf(app.product, planId));
  return { timing, refusal: judgeCatalogue(app, wish) ?? judgeChange(running, timing) };
}

export function previewFor(payments: Payments, running: Subscription, wish: Wish, prorationAt: number | null) {
  return payments.previewChange({
    subscriptionId: running.id,
    priceKey: priceKey(wish.planId, wish.interval),
    prorationAt,
  });
}

/** What the catalogue and the gate say of a wish. */
function judgeCatalogue(app: Powers, wish: Wish): CheckoutRefusal | null {
  const plan = findPlan(app.product, wish.planId);
  if (!plan) return { reason: "plan-unknown" };
  if (!plan.prices) return { reason: "plan-is-free" };
  if (gateGuards(app.gate, plan.id)) return { reason: "plan-behind-gate", planId: plan.id };
  return app.payments ? null : { reason: "not-on-sale" };
}

/** A plan's place in the catalogue, whose order a team chooses: cheapest first. */
function rankOf(product: ProductConfig, planId: string): number {
  return product.plans.findIndex(({ id }) => id === planId);
}
