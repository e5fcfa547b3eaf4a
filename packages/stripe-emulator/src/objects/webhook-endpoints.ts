import type Stripe from "stripe";
import type { Transaction } from "../transaction.ts";
import type { Form } from "../http/form.ts";
import { newId } from "../ids.ts";
import { paginate, readPage } from "../http/lists.ts";
import { mergeMetadata } from "../http/metadata.ts";
import { nothing, route } from "../http/routing.ts";
import { invalid, missingParameter } from "../http/stripe-errors.ts";
import { demand } from "./demand.ts";

type Input = ReturnType<typeof readEndpoint>;

export const webhookEndpointRoutes = [
  route(
    "POST",
    "/v1/webhook_endpoints",
    (form) => ({ ...readEndpoint(form), apiVersion: form.text("api_version") }),
    // Returned once, at creation, as at Stripe.
    (tx, input) => ({ ...createEndpoint(tx, input), secret: tx.webhookSecret }),
  ),
  route("GET", "/v1/webhook_endpoints", readPage, (tx, page) =>
    paginate("/v1/webhook_endpoints", page, tx.store.newestFirst("webhook_endpoint")),
  ),
  route("GET", "/v1/webhook_endpoints/:id", nothing, (tx, _, id = "") => demand(tx, "webhook_endpoint", id)),
  route(
    "POST",
    "/v1/webhook_endpoints/:id",
    (form) => ({ ...readEndpoint(form), disabled: form.flag("disabled") }),
    updateEndpoint,
  ),
  route("DELETE", "/v1/webhook_endpoints/:id", nothing, (tx, _, id = "") => {
    tx.store.remove(demand(tx, "webhook_endpoint", id).id);
    return { id, object: "webhook_endpoint" as const, deleted: true as const };
  }),
];

function readEndpoint(form: Form) {
  return {
    url: form.text("url"),
    events: form.texts("enabled_events"),
    description: form.text("description"),
    metadata: form.metadata(),
  };
}

function createEndpoint(tx: Transaction, input: Input & { apiVersion: string | undefined }): Stripe.WebhookEndpoint {
  if (input.url === undefined) throw missingParameter("url");
  if (input.events === undefined) throw missingParameter("enabled_events");
  return tx.store.put("webhook_endpoint", {
    id: newId("we"),
    object: "webhook_endpoint",
    api_version: input.apiVersion ?? null,
    application: null,
    created: tx.clock.now(),
    description: input.description ?? null,
    enabled_events: input.events,
    livemode: false,
    metadata: mergeMetadata({}, input.metadata),
    status: "enabled",
    url: webAddress(input.url),
  });
}

function updateEndpoint(
  tx: Transaction,
  input: Input & { disabled: boolean | undefined },
  id = "",
): Stripe.WebhookEndpoint {
  const endpoint = demand(tx, "webhook_endpoint", id);
  return tx.store.put("webhook_endpoint", {
    ...endpoint,
    description: input.description ?? endpoint.description,
    enabled_events: input.events ?? endpoint.enabled_events,
    metadata: mergeMetadata(endpoint.metadata, input.metadata),
    status: input.disabled === undefined ? endpoint.status : input.disabled ? "disabled" : "enabled",
    url: input.url === undefined ? endpoint.url : webAddress(input.url),
  });
}

function webAddress(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return url;
  throw invalid("Invalid URL: An explicit scheme (such as https) must be provided.", {
    code: "url_invalid",
    param: "url",
  });
}
