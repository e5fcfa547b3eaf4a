import type { EmailSender } from "#app/core/text/email-sender.ts";
import type { Result } from "#app/core/result.ts";

export type OutgoingEmail = {
  /** The outbox's id: a service that can tell repetitions by a key sends the email once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
};

export type EmailRefusal =
  /** The service didn't answer, is rate limited, or refuses for a reason that concerns every email. */
  | { reason: "mail-down" }
  /** `retryAfterMs`: until the quota is reset; null: the service doesn't say. */
  | { reason: "quota-exhausted"; retryAfterMs: number | null }
  /** The service sends nothing to this address: it bounced, complained, or isn't an address. */
  | { reason: "address-refused" };

/** `serviceId`: the service's own id of the email, by which it reports bounces; null: it has none. */
type SentEmail = { serviceId: string | null };

export type EmailTransport = {
  send(email: OutgoingEmail): Promise<Result<SentEmail, EmailRefusal>>;
};

type AddressedEmail = OutgoingEmail & { from: EmailSender; replyTo: string };

/** One of the services. `cause` is for the log: what the service answered. Throws if it can't be reached. */
export type EmailService = (
  email: AddressedEmail,
  signal: AbortSignal,
) => Promise<Result<SentEmail, EmailRefusal & { cause: string }>>;
