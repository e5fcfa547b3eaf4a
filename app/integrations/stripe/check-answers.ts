/** Answers with status 200 that can't be Stripe's, such as an empty object from a proxy: they count as no answer. */

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
  invoices: "invoice",
  payment_intents: "payment_intent",
  prices: "price",
  refunds: "refund",
  subscription_schedules: "subscription_schedule",
  subscriptions: "subscription",
  tax_rates: "tax_rate",
};
/** The last resource in a path, then perhaps an object's id or `create_preview`, then perhaps what is done with it. */
const form =
  /^\/v1\/(?:customers\/[^/]+\/(?=balance_transactions))?([a-z_]+(?:\/(?:configurations|sessions))?)(\/[^/]+)?(?:\/[a-z_]+)?$/;

/** What is wrong with an answer. Null if it is the object, or the list of objects, that was asked for; unknown paths aren't judged. */
export function faultOf(method: string, path: string, answer: unknown): string | null {
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
