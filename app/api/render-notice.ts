import type { App } from "#app/app.ts";
import { writeEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { Notice } from "#app/modules/operators/decisions.rules.ts";
import type { DecisionNotice } from "#app/modules/operators/decision-emails.server.ts";

/** Emails as plain text for the operator who caused them. */
export function renderNotice(app: Pick<App, "product">, { emails, pages }: DecisionNotice): Notice {
  return {
    emails: emails.map(({ to, when, content }) => {
      const { subject, text } = writeEmail(app, { to: to ?? "", content });
      return { to, when, subject, text };
    }),
    pages,
  };
}
