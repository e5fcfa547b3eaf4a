import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";
import { fetchJson, type JsonAnswer, retryAfterMs, textIn } from "../fetch-json.server.ts";
import { formatSender } from "../format-sender.ts";

/**
 * Any other service, behind an address of the team's own: a few lines in front of SMTP, for example. docs/guides/deploy.md has the
 * protocol. The key makes repetitions recognisable.
 */
export function openHttpRelay({ url, token }: { url: string; token: string }): EmailService {
  return async ({ id, from, replyTo, to, subject, text, html, headers }, signal) => {
    const answer = await fetchJson(
      new Request(url, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ id, from: formatSender(from), replyTo, to, subject, text, html, headers }),
      }),
      signal,
    );
    // A relay without ids of its own reports returns by the one that it was sent.
    // A page comes from something in front of the relay.
    if (answer.isOk && !answer.isMarkup) return done({ serviceId: textIn(answer.body, "id") ?? id });
    return refused({ ...refusalOf(answer), cause: `The relay answered ${answer.cause}` });
  };
}

function refusalOf({ headers, body }: JsonAnswer): EmailRefusal {
  const reason = textIn(body, "reason");
  if (reason === "quota-exhausted") return { reason, retryAfterMs: retryAfterMs(headers) };
  return { reason: reason === "address-refused" ? reason : "email-down" };
}
