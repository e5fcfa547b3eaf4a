import { readSender } from "./read-sender.ts";
import { textsOf, type Protocol } from "./start-stand-in.ts";

const token = "relay-token-of-this-test";

const fields = ["id", "from", "replyTo", "to", "subject", "text", "html"];

/** docs/guides/deploy.md, "A relay of your own". */
export const relayProtocol: Protocol = {
  variables: (origin) => ({
    EMAIL_SERVICE: "http-relay",
    EMAIL_RELAY_URL: `${origin}/emails`,
    EMAIL_RELAY_TOKEN: token,
  }),
  read({ method, path, headers, body }) {
    if (method !== "POST" || path !== "/emails") return { refusal: { status: 404, body: "" } };
    if (headers.authorization !== `Bearer ${token}`) return { refusal: { status: 401, body: "" } };
    const { id, from, to, replyTo, subject, text, html } = textsOf(body, fields) ?? {};
    if (!from || !to || !replyTo || !subject || !text || !html || id !== headers["idempotency-key"])
      return { refusal: { status: 400, body: "" } };
    if (readSender(from) === null) return { refusal: { status: 400, body: "" } };
    return { from, to, replyTo, subject, text, html };
  },
  accept: (id) => ({ status: 202, body: { id } }),
  refusals: {
    "address-refused": { status: 422, body: { reason: "address-refused" } },
    "rate-limited": { status: 429, headers: { "Retry-After": "1" }, body: {} },
    "quota-exhausted": { status: 429, headers: { "Retry-After": "3600" }, body: { reason: "quota-exhausted" } },
  },
  repetitionHeader: "idempotency-key",
};
