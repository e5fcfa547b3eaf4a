import { describe, expect, test } from "vitest";
import { openApi } from "#app/api/open-api.ts";
import { callsOf } from "#app/api/calls.ts";
import { toDecimal } from "#app/core/money/money.ts";
import { afterProof } from "#app/modules/catalogue/after-proof.rules.ts";
import { checkChoice } from "#app/modules/catalogue/choice.rules.ts";
import { checkProduct } from "#app/check-product.ts";
import { allOnSale, intervalsSold, monthsLess, offersOf } from "#app/modules/catalogue/offers.rules.ts";
import { intervals } from "#app/core/time/interval.ts";
import { intervalsOf, isInterval, isSold, isTaxedByStripe, priceOf } from "#app/modules/catalogue/rules.ts";
import { hasDevices } from "#app/features/devices/plans.rules.ts";
import { readGate } from "#app/modules/catalogue/gate.rules.ts";
import { checkoutParameters } from "#app/integrations/stripe/payments/checkout.ts";
import { describeProduct } from "#app/routes/landing/describe-product.ts";
import { configs } from "#tests/configs/factors.ts";

const broken = /undefined|NaN|Invalid|\[object/;

describe.each(configs)("$name", ({ config }) => {
  const gate = readGate(config, undefined);
  const sold = config.plans.filter(isSold);

  test("is a valid config", () => {
    expect(checkProduct(config)).toEqual([]);
  });

  test.each(intervals)("offers every plan with a price of one of its intervals, if the %s is requested", (request) => {
    for (const offer of offersOf(config, gate, request, allOnSale)) {
      const plan = config.plans.find(({ id }) => id === offer.id);
      expect(plan).toBeDefined();
      expect(offer.price).toEqual(plan?.prices ? { ...plan.prices[offer.interval], currency: config.currency } : null);
      if (plan?.prices && intervalsOf(plan).includes(request)) expect(offer.interval).toBe(request);
      if (offer.saving) expect(plan && intervalsOf(plan)).toEqual(["month", "year"]);
    }
    const choices = intervalsSold(config);
    expect(choices).toEqual(intervals.filter((each) => sold.some((plan) => intervalsOf(plan).includes(each))));
    expect(monthsLess(config)).toBe(sold.every((plan) => intervalsOf(plan).length === 2) ? 2 : 0);
  });

  test("sells each plan by its own intervals, and refuses the others", () => {
    for (const plan of sold) {
      for (const interval of intervals) {
        const chosen = checkChoice({ product: config, gate: { kind: "none" } }, { planId: plan.id, interval });
        const price = priceOf(config, plan, interval);
        if (price) expect(chosen).toMatchObject({ ok: true, value: { price } });
        else expect(chosen).toEqual({ ok: false, refusal: { reason: "interval-not-sold" } });
        // Any link leads to a plan that can be bought.
        const path = afterProof(config, { planId: plan.id, interval }, { isNew: true });
        const led = new URL(path, "https://a.example").searchParams.get("interval");
        expect(isInterval(led) && plan.prices?.[led]).toBeTruthy();
      }
    }
  });

  test("gives search engines each price once, as a decimal of its currency", () => {
    const offers = offersOf(config, gate, "month", allOnSale);
    const [described] = describeProduct({ name: "a", description: "b", canonical: "https://a.example/", offers }, [])[
      "@graph"
    ];
    const written = [...JSON.stringify(described).matchAll(/"price":"([^"]*)"/g)].map(([, price]) => price);
    expect(written).toEqual(
      offers.map(({ price }) => toDecimal(price ?? { amountMinor: 0, currency: config.currency })),
    );
    expect(JSON.stringify(described)).not.toMatch(broken);
  });

  test("asks Stripe to collect tax and an address as configured", () => {
    const input = {
      orderId: "ord_1",
      accountId: "acc_1",
      customerId: "cus_1",
      price: { key: "k", amountMinor: 1, currency: config.currency, interval: "month" },
      successUrl: "s",
      cancelUrl: "x",
    } as const;
    const request = checkoutParameters(input, "price_1", {
      automaticTax: isTaxedByStripe(config),
      billingAddress: config.billingAddress,
    });
    expect(request.automatic_tax?.enabled ?? false).toBe(isTaxedByStripe(config));
    expect(request.billing_address_collection).toBe(config.billingAddress);
  });

  test("describes its API with its own meters", () => {
    const document = JSON.stringify(openApi({ origin: "https://a.example", product: config }, callsOf(config)));
    for (const { key } of config.meters) expect(document).toContain(`"${key}"`);
    expect(document).not.toMatch(broken);
    // Each call is about a device.
    expect(document.includes('"/entitlement"')).toBe(hasDevices(config));
  });
});
