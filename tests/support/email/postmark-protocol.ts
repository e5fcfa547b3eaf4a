import { readSender } from "./read-sender.ts";
import { type Answer, textsOf, type Protocol } from "./start-stand-in.ts";

const token = "00000000-aaaa-bbbb-cccc-of-this-test";

/** Postmark's errors have this body: https://postmarkapp.com/developer/api/overview#error-codes */
const error = (status: number, code: number, message: string): Answer => ({
  status,
  body: { ErrorCode: code, Message: message },
});

const fields = ["From", "To", "ReplyTo", "Subject", "TextBody", "HtmlBody", "MessageStream"];

/** https://postmarkapp.com/developer/api/email-api#send-a-single-email */
export const postmarkProtocol: Protocol = {
  variables: (origin) => ({ EMAIL_SERVICE: "postmark", POSTMARK_SERVER_TOKEN: token, EMAIL_API_BASE: origin }),
  read({ method, path, headers, body }) {
    if (method !== "POST" || path !== "/email") return { refusal: { status: 404, body: "Not Found" } };
    if (headers["x-postmark-server-token"] !== token)
      return { refusal: error(401, 10, "Request does not contain a valid Server token.") };
    if (!headers.accept?.startsWith("application/json"))
      return { refusal: error(422, 409, "The Accept header must be application/json.") };
    const sent = textsOf(body, fields) ?? {};
    const { From: from, To: to, ReplyTo: replyTo, Subject: subject, TextBody: text, HtmlBody: html } = sent;
    if (!from || !to || !replyTo || !subject || !text || !html || sent["MessageStream"] !== "outbound")
      return { refusal: error(422, 300, "Invalid email request.") };
    if (readSender(from) === null) return { refusal: error(422, 300, "Error parsing 'From'.") };
    return { from, to, replyTo, subject, text, html };
  },
  accept: (id) => ({
    status: 200,
    body: { To: "x", SubmittedAt: "2026-11-27T12:00:00Z", MessageID: id, ErrorCode: 0, Message: "OK" },
  }),
  refusals: {
    "address-refused": error(
      422,
      406,
      "You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: mara@example.org. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a manual suppression.",
    ),
    "rate-limited": error(429, 429, "Rate limit exceeded."),
    "quota-exhausted": error(422, 405, "Not allowed to send: you ran out of credits."),
  },
  repetitionHeader: null,
};
