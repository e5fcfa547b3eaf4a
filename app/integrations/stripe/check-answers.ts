/**
 * Answers with status 200 that can't be Stripe's, such as an empty object from a proxy or one without the fields that are read: they count
 * as no answer.
 */

/** The name of the object that each resource consists of, where it isn't the path's singular. */
const resources: Record<string, string> = {
  "billing_portal/configurations": "billing_portal.configuration",
  "billing_portal/sessions": "billing_portal.session",
  "checkout/sessions": "checkout.session",
  balance_transactions: "customer_balance_transaction",
  charges: "charge",
  customers: "customer",
  disputes: "dispute",
  events: "event",
  invoice_payments: "invoice_payment",
  invoices: "invoice",
  payment_intents: "payment_intent",
  prices: "price",
  "radar/early_fraud_warnings": "radar.early_fraud_warning",
  refunds: "refund",
  subscription_schedules: "subscription_schedule",
  subscriptions: "subscription",
  tax_rates: "tax_rate",
};
type Kind = "text" | "number" | "object" | "list";

/**
 * The fields that readers rely on, of every object wherever it is in an answer. What may be null at Stripe, or is read with a guard, isn't
 * among them.
 */
const needed: Record<string, Record<string, Kind>> = {
  "billing_portal.session": { url: "text" },
  charge: { id: "text", amount: "number", amount_refunded: "number", created: "number" },
  "checkout.session": { id: "text", created: "number", expires_at: "number" },
  customer: { id: "text", metadata: "object", invoice_settings: "object" },
  customer_balance_transaction: {
    id: "text",
    amount: "number",
    ending_balance: "number",
    currency: "text",
    created: "number",
  },
  dispute: { id: "text", amount: "number", status: "text", created: "number", evidence_details: "object" },
  event: { id: "text", type: "text", created: "number", "data.object": "object" },
  invoice: {
    currency: "text",
    total: "number",
    amount_due: "number",
    starting_balance: "number",
    attempt_count: "number",
    created: "number",
    status_transitions: "object",
    "lines.data": "list",
  },
  line_item: { amount: "number", "period.start": "number", "period.end": "number" },
  payment_intent: { id: "text", status: "text", created: "number" },
  price: { id: "text", currency: "text", metadata: "object" },
  "radar.early_fraud_warning": { fraud_type: "text", created: "number" },
  refund: { id: "text", amount: "number", created: "number" },
  subscription: {
    id: "text",
    status: "text",
    currency: "text",
    metadata: "object",
    created: "number",
    start_date: "number",
    discounts: "list",
    "items.data": "list",
  },
  subscription_item: { id: "text", price: "object", discounts: "list" },
  subscription_schedule: { id: "text", status: "text", phases: "list" },
};

/** The last resource in a path, then perhaps an object's id or `create_preview`, then perhaps what is done with it. */
const form =
  /^\/v1\/(?:customers\/[^/]+\/(?=balance_transactions))?([a-z_]+(?:\/(?:configurations|early_fraud_warnings|sessions))?)(\/[^/]+)?(?:\/[a-z_]+)?$/;

/** What is wrong with an answer. Null if it is the object, or the list of objects, that was asked for, with all that is read of it. */
export function faultOf(method: string, path: string, answer: unknown): string | null {
  return kindFaultOf(method, path, answer) ?? lackOf(answer);
}

/** Unknown paths aren't judged. */
function kindFaultOf(method: string, path: string, answer: unknown): string | null {
  const [, resource = "", id] = form.exec(path) ?? [];
  const name = resources[resource];
  if (name === undefined) return null;
  const isList = method === "GET" && id === undefined;
  if (!isList) return isObject(answer, name) ? null : `isn't a ${name}`;
  const data = isObject(answer, "list") && "data" in answer && Array.isArray(answer.data) ? answer.data : null;
  if (data === null) return "isn't a list";
  return data.every((item) => isObject(item, name)) ? null : `isn't a list of ${name}s`;
}

function isObject(value: unknown, name: string): value is object {
  return typeof value === "object" && value !== null && "object" in value && value.object === name;
}

/** The first field that is lacking in an answer, at any depth. What an event contains is only a hint, in the version of its time. */
function lackOf(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null) return null;
  const name = "object" in answer && typeof answer.object === "string" ? answer.object : "";
  const isDeleted = "deleted" in answer && answer.deleted === true;
  const fields = Object.entries((Object.hasOwn(needed, name) && !isDeleted && needed[name]) || {});
  const lacking = fields.find(([path, kind]) => kindOf(at(answer, path)) !== kind);
  if (lacking) return `has a ${name} without ${lacking[0]}`;
  if (name === "event") return null;
  for (const part of Object.values(answer)) {
    const fault = lackOf(part);
    if (fault !== null) return fault;
  }
  return null;
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce((part, field) => {
    return typeof part === "object" && part !== null ? Reflect.get(part, field) : undefined;
  }, value);
}

function kindOf(value: unknown): Kind | null {
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  return typeof value === "object" && value !== null ? "object" : null;
}
