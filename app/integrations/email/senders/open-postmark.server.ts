import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";
import { fetchJson, textIn } from "../fetch-json.server.ts";
import { formatSender } from "../format-sender.ts";

/** `ErrorCode` once the credits are used up, without a word on when there are more. https://postmarkapp.com/developer/api/overview#error-codes */
const outOfCredits = 405;
/** `ErrorCode` for an address that bounced, complained or was suppressed by hand. */
const inactiveRecipient = 406;

/** Postmark, the transactional stream. It has no idempotency key. https://postmarkapp.com/developer/api/email-api */
export function openPostmark({ token, base }: { token: string; base: string | null }): EmailService {
  const url = `${base ?? "https://api.postmarkapp.com"}/email`;
  return async ({ from, replyTo, to, subject, text, html, headers }, signal) => {
    const answer = await fetchJson(
      new Request(url, {
        method: "POST",
        headers: { Accept: "application/json", "Content-Type": "application/json", "X-Postmark-Server-Token": token },
        body: JSON.stringify({
          From: formatSender(from),
          To: to,
          ReplyTo: replyTo,
          Subject: subject,
          TextBody: text,
          HtmlBody: html,
          MessageStream: "outbound",
          Headers: headers && Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
        }),
      }),
      signal,
    );
    const code = answer.body["ErrorCode"];
    if (answer.isOk && code === 0) return done({ serviceId: textIn(answer.body, "MessageID") });
    return refused({ ...refusalOf(code), cause: `Postmark answered ${answer.cause}` });
  };
}

function refusalOf(code: unknown): EmailRefusal {
  if (code === outOfCredits) return { reason: "quota-exhausted", retryAfterMs: null };
  if (code === inactiveRecipient) return { reason: "address-refused" };
  return { reason: "email-down" };
}
