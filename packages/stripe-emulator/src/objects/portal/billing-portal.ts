import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { route } from "../../http/routing.ts";
import { refer } from "../demand.ts";
import { configurationFor } from "./portal-configurations.ts";
import { flowOf, readFlow } from "./portal-flow.ts";

export const billingPortalRoutes = [route("POST", "/v1/billing_portal/sessions", readPortal, openPortal)];

function readPortal(form: Form) {
  return {
    customer: form.requiredText("customer"),
    configuration: form.text("configuration"),
    returnUrl: form.text("return_url") ?? null,
    locale: form.text("locale") ?? null,
    flow: form.group("flow_data", readFlow) ?? null,
  };
}

function openPortal(
  tx: Transaction,
  { customer, configuration, returnUrl, locale, flow }: ReturnType<typeof readPortal>,
): Stripe.BillingPortal.Session {
  refer(tx, "customer", customer, "customer");
  const chosen = configurationFor(tx, configuration);
  const id = newId("bps");
  return tx.store.put(
    "billing_portal_session",
    {
      id,
      object: "billing_portal.session",
      configuration: chosen.id,
      created: tx.clock.now(),
      customer,
      customer_account: null,
      flow: flow === null ? null : flowOf(tx, customer, chosen, flow),
      livemode: false,
      locale,
      on_behalf_of: null,
      return_url: returnUrl ?? chosen.default_return_url,
      url: `${tx.origin}/portal/${id}`,
    },
    customer,
  );
}
