import { done, refused, type Result } from "#app/core/result.ts";
import { reportFailedCommand } from "#app/integrations/sentry/report-bug.server.ts";

export type OutgoingEmail = { to: string; subject: string; text: string; html: string };

export type EmailTransport = {
  send(email: OutgoingEmail): Promise<Result<null, { reason: "mail-down" }>>;
};

/** A service that doesn't respond counts as down. Shorter than the lease of an attempt. */
const deadlineMs = 10_000;

/**
 * The platform's email binding. Every failure returns the same refusal, since the outbox retries in any case. A log line states the cause,
 * for diagnosing emails that didn't arrive.
 */
export function openEmailTransport(binding: SendEmail, from: string, replyTo: string): EmailTransport {
  return {
    async send(email) {
      try {
        await inTime(binding.send({ from, replyTo, ...email }));
        return done(null);
      } catch (error) {
        reportFailedCommand("send-mail", error instanceof Error ? error.message : String(error));
        return refused({ reason: "mail-down" });
      }
    },
  };
}

/** A result that arrives after the timeout is ignored. */
function inTime<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The email service did not answer")), deadlineMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
