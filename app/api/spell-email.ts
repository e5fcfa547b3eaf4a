import type { App } from "#app/context.ts";
import { writeLetter } from "#app/domain/mail/deliver-mail.server.ts";
import type { Letter } from "#app/domain/mail/rules.ts";

/** An email as its reader sees it, without its design: for the operator who caused it. */
export function spellEmail(app: Pick<App, "product">, sent: { to: string; letter: Letter }) {
  const { to, subject, text } = writeLetter(app, sent);
  return { to, subject, text };
}
