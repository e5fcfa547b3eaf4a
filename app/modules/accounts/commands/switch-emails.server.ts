import type { App } from "#app/app.ts";
import { type EmailKind, emailKinds } from "#app/modules/email/rules.ts";
import type { Viewer } from "../rules.ts";
import { changeEmailsOff } from "../queries.server.ts";

/** Stores which optional emails this user wants. Emails already in the outbox are still sent. */
export async function switchEmails(
  app: Pick<App, "db">,
  viewer: Viewer,
  wanted: Record<EmailKind, boolean>,
): Promise<void> {
  const off = emailKinds.filter((kind) => !wanted[kind]);
  await app.db.batch([changeEmailsOff(app.db, { id: viewer.session.id, accountId: viewer.account.id }, off)]);
}
