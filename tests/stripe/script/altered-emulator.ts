import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import type { Difference } from "./compare.ts";

type Fields = Record<string, unknown>;
type Answer = { method: string; path: string; status: number; body: Fields };

/** One way in which the other Stripe differs. */
type Planted = {
  name: string;
  /** Changes an answer that it applies to, in place. */
  plant(answer: Answer): void;
  /** What has to be among the differences. */
  isFound(difference: Difference): boolean;
};

/** Every object of a kind in an answer, wherever it is. */
function ofKind(value: unknown, kind: string): Fields[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap((item) => ofKind(item, kind));
  // Read from JSON: an object has fields.
  return Reflect.get(value, "object") === kind ? [value as Fields, ...inner] : inner;
}

const inEach =
  (kind: string, change: (object: Fields) => void): Planted["plant"] =>
  ({ body }) => {
    for (const object of ofKind(body, kind)) change(object);
  };

const at =
  (end: RegExp, kind: Difference["kind"]): Planted["isFound"] =>
  (difference) =>
    end.test(difference.path) && difference.kind === kind;

export const planted: Planted[] = [
  {
    name: "a field is missing",
    plant: inEach("subscription", (object) => delete object["trial_settings"]),
    isFound: at(/\/trial_settings$/, "unknown"),
  },
  {
    name: "a field is new",
    plant: inEach("customer", (object) => (object["loyalty"] = 1)),
    isFound: at(/\/loyalty$/, "missing"),
  },
  {
    name: "null in the place of a text",
    plant: inEach("invoice", (object) => (object["account_name"] = null)),
    isFound: at(/\/account_name$/, "type"),
  },
  {
    name: "a text in the place of null",
    plant: inEach("subscription", (object) => (object["description"] = "Planted")),
    isFound: at(/\/description$/, "type"),
  },
  {
    name: "a text in the place of a number",
    plant: inEach("invoice", (object) => (object["amount_shipping"] = String(object["amount_shipping"]))),
    isFound: at(/\/amount_shipping$/, "type"),
  },
  {
    name: "a boolean the other way round",
    plant: inEach("invoice", (object) => (object["auto_advance"] = object["auto_advance"] !== true)),
    isFound: at(/\/auto_advance$/, "value"),
  },
  {
    name: "another value of an enum",
    plant: inEach("price", (object) => (object["billing_scheme"] = "tiered")),
    isFound: at(/\/billing_scheme$/, "value"),
  },
  {
    name: "an amount that is one cent more",
    plant: inEach("charge", (object) => (object["amount_captured"] = Number(object["amount_captured"]) + 1)),
    isFound: at(/\/amount_captured$/, "value"),
  },
  {
    name: "another currency",
    plant: inEach("refund", (object) => (object["currency"] = "usd")),
    isFound: at(/\/currency$/, "value"),
  },
  {
    name: "a moment that is a day later",
    plant: inEach(
      "subscription",
      (object) => (object["billing_cycle_anchor"] = Number(object["billing_cycle_anchor"]) + 86_400),
    ),
    isFound: at(/\/billing_cycle_anchor$/, "value"),
  },
  {
    name: "an id of another object",
    plant: inEach("refund", (object) => (object["payment_intent"] = "pi_3Planted0000000000001")),
    isFound: at(/\/payment_intent$/, "value"),
  },
  {
    name: "an id of another kind",
    plant: inEach("refund", (object) => (object["charge"] = "py_3Planted0000000000001")),
    isFound: at(/\/charge$/, "value"),
  },
  {
    name: "an object in the place of its id",
    plant: inEach("customer", (object) => {
      if (typeof object["test_clock"] === "string") object["test_clock"] = { id: object["test_clock"] };
    }),
    isFound: at(/\/test_clock$/, "type"),
  },
  {
    name: "fields one level deeper",
    plant: inEach("refund", (object) => (object["destination_details"] = { details: object["destination_details"] })),
    isFound: ({ path, kind }) => path.includes("/destination_details/") && (kind === "missing" || kind === "unknown"),
  },
  {
    name: "a list with one item more",
    plant: inEach("payment_intent", (object) => {
      if (Array.isArray(object["payment_method_types"])) object["payment_method_types"].push("klarna");
    }),
    isFound: at(/\/payment_method_types$/, "length"),
  },
  {
    name: "another code of a refusal",
    plant: ({ path, status, body }) => {
      if (path === "/v1/customers" && status === 400) Object(body["error"]).code = "parameter_invalid_empty";
    },
    isFound: at(/^\/error\/code$/, "value"),
  },
  {
    name: "another status of a refusal",
    plant: (answer) => {
      if (answer.path === "/v1/checkout/sessions" && answer.status === 400) answer.status = 402;
    },
    isFound: ({ kind, call }) => kind === "status" && call === "POST /v1/checkout/sessions",
  },
  {
    name: "an event that isn't sent",
    plant: withoutEvent("customer.subscription.pending_update_expired"),
    isFound: ({ call, path, kind }) =>
      call === "events" && path === "/customer.subscription.pending_update_expired" && kind === "unknown",
  },
  {
    name: "an event that is sent twice",
    plant: ({ path, body }) => {
      const events = path === "/v1/events" && Array.isArray(body["data"]) ? body["data"] : [];
      const deleted = events.filter(({ type }) => type === "customer.deleted");
      events.push(...deleted.map((event) => ({ ...event, id: `${event.id}twice` })));
    },
    isFound: ({ call, path, kind }) => call === "events" && path === "/customer.deleted" && kind === "value",
  },
  {
    name: "other words on a receipt",
    plant: inEach("line_item", (object) => (object["description"] = `Planted ${String(object["description"])}`)),
    isFound: at(/\/lines\/data\/\d+\/description$/, "value"),
  },
];

function withoutEvent(gone: string): Planted["plant"] {
  return ({ path, body }) => {
    if (path === "/v1/events" && Array.isArray(body["data"])) {
      body["data"] = body["data"].filter(({ type }) => type !== gone);
    }
  };
}

/** An emulator that differs from itself: a proxy in front of it plants the differences into its answers. */
export async function startAltered(target: string, differences: Planted[]) {
  const server = createServer(async (incoming, outgoing) => {
    const headersOnward = { ...incoming.headers, "accept-encoding": "identity" };
    const onward = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers: headersOnward });
    onward.end(await text(incoming));
    const [came]: IncomingMessage[] = await once(onward, "response");
    if (came === undefined) return void outgoing.destroy();
    const original = await text(came);
    const { pathname: path } = new URL(incoming.url ?? "/", target);
    const answer: Answer = { method: incoming.method ?? "", path, status: came.statusCode ?? 502, body: {} };
    if (path.startsWith("/v1/") && original.startsWith("{")) {
      answer.body = JSON.parse(original);
      for (const { plant } of differences) plant(answer);
    }
    const { "content-length": _, "transfer-encoding": __, ...headers } = came.headers;
    outgoing.writeHead(answer.status, headers).end(path.startsWith("/v1/") ? JSON.stringify(answer.body) : original);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
