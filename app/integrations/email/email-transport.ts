import type { EmailSender } from "#app/core/text/email-sender.ts";
import type { Result } from "#app/core/result.ts";

export type OutgoingEmail = {
  /** The outbox's id: a service that can tell repetitions by a key sends the email once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Further headers, by their names. */
  headers?: Record<string, string>;
};

export type EmailRefusal =
  /** The service didn't answer, is rate limited, or refuses for a reason that concerns every email. */
  | { reason: "email-down" }
  /** `retryAfterMs` is the time until the quota is reset. Null if the service doesn't say. */
  | { reason: "quota-exhausted"; retryAfterMs: number | null }
  /** The service sends nothing to this address: it bounced, complained, or isn't an address. */
  | { reason: "address-refused" };

/** `serviceId` is the service's own id of the email, by which it reports bounces. Null if the service has none. */
type SentEmail = { serviceId: string | null };

export type EmailTransport = {
  send(email: OutgoingEmail): Promise<Result<SentEmail, EmailRefusal>>;
};

type AddressedEmail = OutgoingEmail & { from: EmailSender; replyTo: string };

/** Sends by one of the services. `cause` is what the service answered, for the log. Throws if the service can't be reached. */
export type EmailService = (
  email: AddressedEmail,
  signal: AbortSignal,
) => Promise<Result<SentEmail, EmailRefusal & { cause: string }>>;
