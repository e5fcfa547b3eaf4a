import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { route } from "../../http/routing.ts";
import { refer } from "../demand.ts";
import { configurationFor } from "./portal-configurations.ts";

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

function readFlow(form: Form) {
  return {
    type: form.oneOf("type", ["payment_method_update"]) ?? "payment_method_update",
    returnUrl:
      form.group("after_completion", (completion) => {
        completion.oneOf("type", ["portal_homepage", "redirect"]);
        return completion.group("redirect", (redirect) => redirect.requiredText("return_url"));
      }) ?? null,
  };
}

function openPortal(
  tx: Transaction,
  { customer, configuration, returnUrl, locale, flow }: ReturnType<typeof readPortal>,
): Stripe.BillingPortal.Session {
  refer(tx, "customer", customer, "customer");
  const { id: configurationId, default_return_url } = configurationFor(tx, configuration);
  const id = newId("bps");
  return tx.store.put(
    "billing_portal_session",
    {
      id,
      object: "billing_portal.session",
      configuration: configurationId,
      created: tx.clock.now(),
      customer,
      customer_account: null,
      flow:
        flow === null
          ? null
          : {
              after_completion:
                flow.returnUrl === null
                  ? { hosted_confirmation: null, redirect: null, type: "portal_homepage" }
                  : { hosted_confirmation: null, redirect: { return_url: flow.returnUrl }, type: "redirect" },
              customer_update: null,
              subscription_cancel: null,
              subscription_pause: null,
              subscription_update: null,
              subscription_update_confirm: null,
              type: flow.type,
            },
      livemode: false,
      locale,
      on_behalf_of: null,
      return_url: returnUrl ?? default_return_url,
      url: `${tx.origin}/portal/${id}`,
    },
    customer,
  );
}
