import { createHmac } from "node:crypto";
import fc from "fast-check";
import { calls } from "#app/api/calls.ts";
import { operatorCalls } from "#app/api/operator-calls.ts";
import { handledEventTypes } from "#app/integrations/stripe/events.ts";
import { everyPath } from "./test-accounts.ts";
import type { Fuzzer, Who } from "./fuzzer.ts";
import { cookies, fields, headers, rawPart, text, value } from "./hostile-input.ts";
import { fieldNames, queryNames } from "./known-names.ts";

type Chance = { seed: number; numRuns: number };

const who = fc.constantFrom<Who>("customer", "customer", "stranger", "garbage");
const garbage = fc
  .tuple(headers, cookies)
  .map(([some, cookie]): Record<string, string> => ({ ...some, Cookie: cookie }));
/** Mostly none: what the runtime itself refuses for a header says nothing about the page. */
const own = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Record<string, string>>({}) },
  { weight: 1, arbitrary: garbage },
);
const query = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...queryNames), text), text), { maxLength: 4 })
  .map((pairs) => new URLSearchParams(pairs).toString());
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...everyPath()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...everyPath()).map((known) => (known === "/" ? "/_root.data" : `${known}.data`)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...everyPath()), rawPart).map(([known, part]) => `${known}/${part}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "/__manifest",
      "/monitoring",
      "/api/v1",
      "/api/operator",
      "/assets/x",
      "/favicon.svg",
      "//",
      "/.well-known/",
    ),
  },
);
const where = fc
  .tuple(path, query, fc.option(rawPart))
  .map(([at, request, raw]) => `${at}?${request}${raw ? `&${raw}` : ""}`);

type Sent = { type: string; body: string | Buffer };
type Pairs = [string, string][];

/** The same fields in every shape that a browser, a script or a careless client could give them. */
const shapes: ((pairs: Pairs) => Sent)[] = [
  (pairs) => ({ type: "application/x-www-form-urlencoded", body: new URLSearchParams(pairs).toString() }),
  (pairs) => ({ type: "application/x-www-form-urlencoded", body: new URLSearchParams(pairs).toString() }),
  (pairs) => ({
    type: "application/x-www-form-urlencoded; charset=utf-7",
    body: pairs.map((pair) => pair.join("=")).join("&"),
  }),
  (pairs) => ({ type: "multipart/form-data; boundary=x", body: multipart(pairs) }),
  (pairs) => ({ type: "multipart/form-data; boundary=y", body: multipart(pairs) }),
  (pairs) => ({ type: "multipart/form-data", body: multipart(pairs) }),
  (pairs) => ({ type: "application/json", body: JSON.stringify(Object.fromEntries(pairs)) }),
  (pairs) => ({ type: "text/plain", body: pairs.map((pair) => pair.join("=")).join("\n") }),
  (pairs) => ({ type: "", body: Buffer.from(pairs.flat().join(""), "utf16le") }),
];

function multipart(pairs: Pairs): string {
  const parts = pairs.map(([name, content], index) => {
    const file = index % 5 === 4 ? '; filename="a.txt"\r\nContent-Type: text/plain' : "";
    return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
  });
  return `${parts.join("")}--x--\r\n`;
}

const described = [
  ...calls.map((call) => ({ ...call, prefix: "/api/v1" })),
  ...operatorCalls.map((call) => ({ ...call, prefix: "/api/operator" })),
];

const webhookSecret = "local-stripe-webhook-secret";

function signature(payload: string, isSigned: boolean): Record<string, string> {
  const at = Math.floor(Date.now() / 1000);
  const signed = createHmac("sha256", webhookSecret).update(`${at}.${payload}`).digest("hex");
  return { "Stripe-Signature": `t=${at},v1=${isSigned ? signed : "00"}` };
}

/** What is tried, each with its own requests; `run` sends one and throws when it failed. */
export const properties: Record<string, (fuzzer: Fuzzer, chance: Chance) => Promise<void>> = {
  "forms: any fields to any page, in any shape": (fuzzer, chance) =>
    fc.assert(
      fc.asyncProperty(where, fields, fc.constantFrom(...shapes), own, who, async (at, pairs, shape, some, as) => {
        const { type, body } = shape(pairs);
        await fuzzer.send("POST", at, { "Content-Type": type, ...some }, body, as);
      }),
      chance,
    ),
  "visits: any page with any query, header and cookie": (fuzzer, chance) =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom("GET", "GET", "GET", "HEAD"), where, own, who, async (method, at, some, as) => {
        await fuzzer.send(method, at, some, "", as);
      }),
      chance,
    ),
  "calls: any body to any call of both APIs": (fuzzer, chance) => {
    const body = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.dictionary(fc.constantFrom(...fieldNames), value, { maxKeys: 6 }).map((of) => JSON.stringify(of)),
      },
      { weight: 1, arbitrary: value.map((any) => JSON.stringify(any) ?? "") },
      { weight: 1, arbitrary: text },
    );
    const token = fc.constantFrom("device", "operator", "garbage");
    return fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...described),
        body,
        token,
        own,
        query,
        async (call, sent, as, some, request) => {
          const device = await fuzzer.tokenOfDevice();
          const bearer = { device, operator: "local-operator-token", garbage: some["Authorization"] ?? "" }[as];
          const given = {
            "If-Match": "*",
            ...some,
            Authorization: `Bearer ${bearer}`,
            "Content-Type": "application/json",
          };
          const at = `${call.prefix}${call.path}?${request}`;
          await fuzzer.send(call.method, at, given, call.method === "GET" ? "" : sent);
        },
      ),
      chance,
    );
  },
  "events: anything that the payment provider signed": (fuzzer, chance) => {
    const object = fc.dictionary(
      fc.constantFrom("id", "object", "customer", "payment_intent", "charge", "metadata", "subscription", "previous"),
      value,
    );
    const event = fc.record(
      {
        id: fc.oneof(
          text,
          fc.nat(50).map((n) => `evt_${n}`),
        ),
        object: fc.constantFrom<unknown>("event", "v2.core.event", 1, null),
        type: fc.oneof(fc.constantFrom(...handledEventTypes), text),
        created: value,
        data: fc.oneof(fc.record({ object }), value),
        isOwn: fc.boolean(),
      },
      { requiredKeys: ["isOwn"] },
    );
    return fc.assert(
      fc.asyncProperty(event, fc.boolean(), async ({ isOwn, ...event }, isSigned) => {
        const about = { ...event, ...(isOwn && { data: { object: { customer: await fuzzer.customerAtProvider() } } }) };
        await fuzzer.send(
          "POST",
          "/webhooks/stripe",
          signature(JSON.stringify(about), isSigned),
          JSON.stringify(about),
        );
      }),
      chance,
    );
  },
  "envelopes: any bytes to the tunnel": (fuzzer, chance) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(value, { maxLength: 6 }),
        fc.uint8Array({ maxLength: 200 }),
        own,
        async (lines, tail, some) => {
          const head = { dsn: "http://key@127.0.0.1:9/1", sent_at: lines[0] };
          const text = [head, ...lines].map((line) => JSON.stringify(line)).join("\n");
          await fuzzer.send("POST", "/monitoring", some, Buffer.concat([Buffer.from(`${text}\n`), tail]));
        },
      ),
      chance,
    ),
};
