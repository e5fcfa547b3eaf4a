import type Stripe from "stripe";
import type { Transaction } from "../../transaction.ts";
import type { Form } from "../../http/form.ts";
import { newId } from "../../ids.ts";
import { only, paginate, readPage } from "../../http/lists.ts";
import { mergeMetadata } from "../../http/metadata.ts";
import { nothing, route } from "../../http/routing.ts";
import { invalid, missingParameter } from "../../http/stripe-errors.ts";
import { differences } from "../customers/customers.ts";
import { demand, refer } from "../demand.ts";
import { ALLOWED_UPDATES, readFeatures } from "./portal-feature-form.ts";
import { NO_FEATURES } from "./portal-features.ts";

type Configuration = Stripe.BillingPortal.Configuration;
type Input = ReturnType<typeof readConfiguration>;

const PATH = "/v1/billing_portal/configurations";

export const portalConfigurationRoutes = [
  route("POST", PATH, readConfiguration, createConfiguration),
  route(
    "GET",
    PATH,
    (form) => ({ page: readPage(form), active: form.flag("active"), isDefault: form.flag("is_default") }),
    (tx, { page, active, isDefault }) =>
      paginate(
        PATH,
        page,
        only(
          tx.store.newestFirst("billing_portal_configuration"),
          (one) =>
            (active === undefined || one.active === active) &&
            (isDefault === undefined || one.is_default === isDefault),
        ),
      ),
  ),
  route("GET", `${PATH}/:id`, nothing, (tx, _, id = "") => demand(tx, "billing_portal_configuration", id)),
  route(
    "POST",
    `${PATH}/:id`,
    (form) => ({ ...readConfiguration(form), active: form.flag("active") }),
    updateConfiguration,
  ),
];

function readConfiguration(form: Form) {
  return {
    profile: form.group("business_profile", (profile) => ({
      headline: profile.text("headline"),
      privacy: profile.text("privacy_policy_url"),
      terms: profile.text("terms_of_service_url"),
    })),
    returnUrl: form.text("default_return_url"),
    name: form.text("name"),
    features: form.group("features", readFeatures),
    metadata: form.metadata(),
  };
}

/** A configuration created by API is never the account's default: sessions have to name it. */
function createConfiguration(tx: Transaction, input: Input): Configuration {
  if (input.features === undefined) throw missingParameter("features");
  return addConfiguration(tx, input, false);
}

/** The team saves the portal's page of the dashboard, for cards and billing details. Only that creates the account's default. */
export function saveDefaultConfiguration(tx: Transaction): Configuration {
  const features = {
    customerUpdate: { enabled: true, allowed: ALLOWED_UPDATES },
    paymentMethodUpdate: true,
    subscriptionCancel: undefined,
    subscriptionUpdate: undefined,
  };
  const input = { profile: undefined, returnUrl: undefined, name: undefined, features, metadata: undefined };
  return defaultConfiguration(tx) ?? addConfiguration(tx, input, true);
}

function addConfiguration(tx: Transaction, input: Input, isDefault: boolean): Configuration {
  const now = tx.clock.now();
  const created = withChanges(
    {
      id: newId("bpc"),
      object: "billing_portal.configuration",
      active: true,
      application: null,
      business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
      created: now,
      default_return_url: null,
      features: NO_FEATURES,
      is_default: isDefault,
      livemode: false,
      login_page: { enabled: false, url: null },
      metadata: {},
      name: null,
      updated: now,
    },
    input,
  );
  tx.store.put("billing_portal_configuration", created);
  tx.record("billing_portal.configuration.created", created);
  return created;
}

function updateConfiguration(tx: Transaction, input: Input & { active: boolean | undefined }, id = ""): Configuration {
  const before = demand(tx, "billing_portal_configuration", id);
  if (before.is_default && input.active === false)
    throw invalid("You can't deactivate the default configuration.", { param: "active" });
  const after = {
    ...withChanges(before, input),
    active: input.active ?? before.active,
    updated: tx.clock.now(),
  };
  tx.store.put("billing_portal_configuration", after);
  tx.record("billing_portal.configuration.updated", after, differences(before, after));
  return after;
}

function withChanges(configuration: Configuration, { profile, returnUrl, name, features, metadata }: Input) {
  const { business_profile, features: existing } = configuration;
  return {
    ...configuration,
    business_profile: {
      headline: changed(profile?.headline, business_profile.headline),
      privacy_policy_url: changed(profile?.privacy, business_profile.privacy_policy_url),
      terms_of_service_url: changed(profile?.terms, business_profile.terms_of_service_url),
    },
    default_return_url: changed(returnUrl, configuration.default_return_url),
    name: changed(name, configuration.name),
    metadata: mergeMetadata(configuration.metadata ?? {}, metadata),
    features: {
      ...existing,
      customer_update: {
        allowed_updates: features?.customerUpdate?.allowed ?? existing.customer_update.allowed_updates,
        enabled: features?.customerUpdate?.enabled ?? existing.customer_update.enabled,
      },
      payment_method_update: {
        ...existing.payment_method_update,
        enabled: features?.paymentMethodUpdate ?? existing.payment_method_update.enabled,
      },
      subscription_cancel: { ...existing.subscription_cancel, ...features?.subscriptionCancel },
      subscription_update: { ...existing.subscription_update, ...features?.subscriptionUpdate },
    },
  };
}

const changed = (given: string | undefined, existing: string | null): string | null =>
  given === undefined ? existing : given === "" ? null : given;

const defaultConfiguration = (tx: Transaction): Configuration | null =>
  [...tx.store.newestFirst("billing_portal_configuration")].find((one) => one.is_default) ?? null;

/** The configuration of a session: the one it names, otherwise the account's default. */
export function configurationFor(tx: Transaction, named: string | undefined): Configuration {
  if (named !== undefined) {
    const configuration = refer(tx, "billing_portal_configuration", named, "configuration");
    if (configuration.active) return configuration;
    throw invalid(`The configuration ${named} is inactive.`, { param: "configuration" });
  }
  const standard = defaultConfiguration(tx);
  if (standard !== null) return standard;
  throw invalid(
    "No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default one.",
  );
}
