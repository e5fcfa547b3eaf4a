/** Answers with status 200 that can't be Stripe's, such as an empty object from a proxy: they count as no answer. */

/** The name of the object that each resource consists of. */
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
/** What is wrong with an answer. Null if it is the object, or the list of objects, that was asked for; unknown paths aren't judged. */
export function faultOf(method: string, path: string, answer: unknown): string | null {
  const { name, isCollection } = objectAt(path);
  if (name === null) return null;
  const isList = method === "GET" && isCollection;
  if (!isList) return isObject(answer, name) ? null : `isn't a ${name}`;
  const data = isObject(answer, "list") && "data" in answer && Array.isArray(answer.data) ? answer.data : null;
  if (data === null) return "isn't a list";
  return data.every((item) => isObject(item, name)) ? null : `isn't a list of ${name}s`;
}

/** What a path leads to: the resource, perhaps an object's id or `create_preview`, perhaps what is done with it. */
function objectAt(path: string): { name: string | null; isCollection: boolean } {
  const parts = path.split("/").slice(2);
  const [first = "", second = "", third = ""] = parts;
  const pair = resources[`${first}/${second}`];
  if (pair !== undefined) return { name: pair, isCollection: parts.length === 2 };
  const nested = first === "customers" && third !== "" ? resources[third] : undefined;
  if (nested !== undefined) return { name: nested, isCollection: parts.length === 3 };
  return { name: resources[first] ?? null, isCollection: parts.length === 1 };
}

function isObject(value: unknown, name: string): value is object {
  return typeof value === "object" && value !== null && "object" in value && value.object === name;
}
