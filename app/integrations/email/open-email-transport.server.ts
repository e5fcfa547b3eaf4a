import type { EmailSender } from "#app/core/text/email-sender.ts";
import { done, refused } from "#app/core/result.ts";
import { secondMs } from "#app/core/time/time.ts";
import { reportFailedCommand } from "#app/integrations/sentry/report-bug.server.ts";
import type { EmailService, EmailTransport } from "./email-transport.ts";

/** A service that doesn't respond counts as down. Shorter than the lease of an attempt. */
const deadlineMs = 10 * secondMs;

/**
 * Gives a service our sender, a deadline and a log line for each refusal, to find out why an email didn't arrive. The outbox retries in any
 * case.
 */
export function openEmailTransport(service: EmailService, from: EmailSender, replyTo: string): EmailTransport {
  return {
    async send(email) {
      try {
        const outcome = await inTime((signal) => service({ from, replyTo, ...email }, signal));
        if (outcome.ok) return done(outcome.value);
        const { cause, ...refusal } = outcome.refusal;
        reportFailedCommand("send-mail", cause);
        return refused(refusal);
      } catch (error) {
        reportFailedCommand("send-mail", error instanceof Error ? error.message : String(error));
        return refused({ reason: "email-down" });
      }
    },
  };
}

/** A result that arrives after the timeout is ignored, and its request is aborted. */
function inTime<Value>(start: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error("The email service did not answer"));
      ending.abort();
    }, deadlineMs);
  });
  return Promise.race([start(ending.signal), late]).finally(() => clearTimeout(timer));
}
