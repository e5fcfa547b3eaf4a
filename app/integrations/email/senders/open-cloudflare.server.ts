import type { EmailSender } from "#app/core/text/email-sender.ts";
import { done, refused } from "#app/core/result.ts";
import type { EmailRefusal, EmailService } from "../email-transport.ts";

/**
 * The platform's binding. Errors have a `code`, and messages that begin with it in local runs.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export function openCloudflare(binding: SendEmail): EmailService {
  return async ({ from, replyTo, to, subject, text, html, headers }) => {
    try {
      const { messageId } = await binding.send({
        ...{ from: addressOf(from), replyTo, to, subject, text, html },
        ...(headers && { headers }),
      });
      return done({ serviceId: messageId || null });
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      return refused({ ...refusalOf(codeOf(error) ?? cause), cause });
    }
  };
}

function addressOf({ name, address }: EmailSender): string | EmailAddress {
  return name === "" ? address : { name, email: address };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

function refusalOf(code: string): EmailRefusal {
  if (code.startsWith("E_RECIPIENT_SUPPRESSED")) return { reason: "address-refused" };
  // When a day's limit is reset isn't documented: https://developers.cloudflare.com/email-service/platform/limits/
  if (code.startsWith("E_DAILY_LIMIT_EXCEEDED")) return { reason: "quota-exhausted", retryAfterMs: null };
  return { reason: "email-down" };
}
