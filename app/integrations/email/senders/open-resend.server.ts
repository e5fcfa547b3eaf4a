import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";
import { fetchJson, type JsonAnswer, textIn } from "../fetch-json.server.ts";
import { formatSender } from "../format-sender.ts";

/** The two errors with 429 that mean a quota. The third, `rate_limit_exceeded`, is over in a second. */
const quotas: ReadonlySet<string> = new Set(["daily_quota_exceeded", "monthly_quota_exceeded"]);

/**
 * Resend. https://resend.com/docs/api-reference/emails/send-email, errors: https://resend.com/docs/api-reference/errors.
 * Addresses on its suppression list are accepted and reported as bounced.
 */
export function openResend({ key, base }: { key: string; base: string | null }): EmailService {
  const url = `${base ?? "https://api.resend.com"}/emails`;
  return async ({ id, from, replyTo, to, subject, text, html, headers }, signal) => {
    const answer = await fetchJson(
      new Request(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ from: formatSender(from), to, reply_to: replyTo, subject, text, html, headers }),
      }),
      signal,
    );
    const serviceId = textIn(answer.body, "id");
    // Without an id it isn't Resend's answer, but a proxy's, for example. The same id is sent again, so that none is sent twice.
    if (answer.isOk && serviceId) return done({ serviceId });
    // Resend accepted this id before, with a text that has changed since, for example by a deployment between two tries.
    if (textIn(answer.body, "name") === "invalid_idempotent_request") return done({ serviceId: null });
    return refused({ ...refusalOf(answer), cause: `Resend answered ${answer.cause}` });
  };
}

/** Its `retry-after` is about requests per second (https://resend.com/docs/api-reference/rate-limit), not about a quota's reset. */
function refusalOf({ status, body }: JsonAnswer): EmailRefusal {
  if (quotas.has(textIn(body, "name") ?? "")) return { reason: "quota-exhausted", retryAfterMs: null };
  const isAddress = status === 422 && /`to` field/.test(textIn(body, "message") ?? "");
  return isAddress ? { reason: "address-refused" } : { reason: "email-down" };
}
