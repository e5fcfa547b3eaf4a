import { readSender } from "./read-sender.ts";
import { type Answer, textsOf, type Protocol } from "./start-stand-in.ts";

const key = "re_123456789_of_this_test";

/** Resend's errors have this body: https://resend.com/docs/api-reference/errors */
const error = (status: number, name: string, message: string, headers = {}): Answer => ({
  status,
  headers,
  body: { statusCode: status, name, message },
});

const fields = ["from", "to", "reply_to", "subject", "text", "html"];

/** https://resend.com/docs/api-reference/emails/send-email */
export const resendProtocol: Protocol = {
  variables: (origin) => ({ EMAIL_SERVICE: "resend", RESEND_API_KEY: key, EMAIL_API_BASE: origin }),
  read({ method, path, headers, body }) {
    if (method !== "POST" || path !== "/emails")
      return { refusal: error(405, "method_not_allowed", "Method is not allowed.") };
    if (headers.authorization !== `Bearer ${key}`)
      return { refusal: error(401, "validation_error", "API key is invalid") };
    const { from, to, reply_to: replyTo, subject, text, html } = textsOf(body, fields) ?? {};
    if (!from || !to || !replyTo || !subject || !text || !html)
      return { refusal: error(422, "missing_required_field", "The request body is missing a required field.") };
    if (readSender(from) === null) return { refusal: error(422, "invalid_from_address", "Invalid `from` field.") };
    return { from, to, replyTo, subject, text, html };
  },
  accept: (id) => ({ status: 200, body: { id } }),
  refusals: {
    "address-refused": error(
      422,
      "validation_error",
      "Invalid `to` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format.",
    ),
    "rate-limited": error(429, "rate_limit_exceeded", "Too many requests.", { "retry-after": "1" }),
    "quota-exhausted": error(429, "daily_quota_exceeded", "You have reached your daily email sending quota.", {
      "retry-after": "1",
    }),
  },
  repetitionHeader: "idempotency-key",
};
