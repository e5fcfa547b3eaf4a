import type { App } from "#app/app.ts";
import { writeEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { DecisionPreview } from "#app/modules/operators/decisions.rules.ts";
import type { DraftPreview } from "#app/modules/operators/decision-emails.server.ts";

/** Emails as plain text for the operator who caused them. */
export function renderPreview(
  app: Pick<App, "product" | "emailTexts">,
  { emails, pages }: DraftPreview,
): DecisionPreview {
  return {
    emails: emails.map(({ to, when, content }) => {
      const { subject, text } = writeEmail(app, { to: to ?? "", content });
      return { to, when, subject, text };
    }),
    pages,
  };
}
