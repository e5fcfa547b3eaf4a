import type { App } from "#app/app.ts";
import { writeEmail } from "#app/modules/email/commands/deliver-mail.server.ts";
import type { Told } from "#app/modules/operators/decisions.rules.ts";
import type { Telling } from "#app/modules/operators/commands/tell-decision.server.ts";

/** Emails as plain text for the operator who caused them. */
export function spellTold(app: Pick<App, "product">, { emails, pages }: Telling): Told {
  return {
    emails: emails.map(({ to, when, content }) => {
      const { subject, text } = writeEmail(app, { to: to ?? "", content });
      return { to, when, subject, text };
    }),
    pages,
  };
}
