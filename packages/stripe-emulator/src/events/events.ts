import type Stripe from "stripe";
import type { Transaction, EventData, EventType } from "../transaction.ts";
import { newId } from "../ids.ts";
import { only, paginate, readPage } from "../http/lists.ts";
import { demand } from "../objects/demand.ts";
import { nothing, route } from "../http/routing.ts";
import { invalid, missingObject } from "../http/stripe-errors.ts";

export const API_VERSION = "2026-10-28.endive";
/** The API no longer returns older events, as at Stripe; the control page still shows them. */
const EVENT_LIFE_SECONDS = 30 * 86_400;

export const eventRoutes = [
  route(
    "GET",
    "/v1/events",
    (form) => ({
      page: readPage(form),
      type: form.text("type"),
      types: form.texts("types"),
      created: form.range("created"),
      isDelivered: form.flag("delivery_success"),
    }),
    (tx, { page, type, types, created, isDelivered }) => {
      if (type !== undefined && types !== undefined)
        throw invalid("You may only specify one of these parameters: type, types.", { param: "type" });
      const wanted = types ?? (type === undefined ? ["*"] : [type]);
      return paginate(
        "/v1/events",
        page,
        only(
          tx.store.newestFirst("event"),
          (event) =>
            isRetained(tx, event) &&
            isWanted(wanted, event.type) &&
            created(event.created) &&
            (isDelivered === undefined || isDelivered === (event.pending_webhooks === 0)),
        ),
      );
    },
  ),
  route("GET", "/v1/events/:id", nothing, (tx, _, id = "") => {
    const event = demand(tx, "event", id);
    if (isRetained(tx, event)) return event;
    throw missingObject("event", id);
  }),
];

const isRetained = (tx: Transaction, event: Stripe.Event): boolean =>
  event.created > tx.clock.now() - EVENT_LIFE_SECONDS;

/** `invoice.paid`, `invoice.*` and `*`, as endpoints and lists name events. */
export const isWanted = (patterns: string[], type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === type || pattern === "*" || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))),
  );

export interface EventRequest {
  requestId: string | null;
  idempotencyKey: string | null;
}

export function newEvent<T extends EventType>(
  now: number,
  request: EventRequest,
  type: T,
  object: EventData<T>["object"],
  before?: EventData<T>["previous_attributes"],
): Stripe.Event {
  const event = {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: now,
    data: { object, ...(before !== undefined && { previous_attributes: before }) },
    livemode: false,
    pending_webhooks: 0,
    request: { id: request.requestId, idempotency_key: request.idempotencyKey },
    type,
  };
  // The caller's T ties the object to the type; a union of 250 events can't be rebuilt from a generic type.
  return event as Stripe.Event;
}
