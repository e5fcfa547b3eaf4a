import { done, refused, type Result } from "#app/domain/kernel/result.ts";

export type OutgoingMail = { to: string; subject: string; text: string; html: string };

export type MailTransport = {
  send(mail: OutgoingMail): Promise<Result<null, { reason: "mail-down" }>>;
};

/** The platform's mail binding. Any failure is one refusal: the outbox tries again, whatever the cause was. */
export function openMailTransport(binding: SendEmail, from: string, replyTo: string): MailTransport {
  return {
    async send(mail) {
      try {
        await binding.send({ from, replyTo, ...mail });
        return done(null);
      } catch {
        return refused({ reason: "mail-down" });
      }
    },
  };
}
