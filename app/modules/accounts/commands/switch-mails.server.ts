import type { App } from "#app/app.ts";
import { type MailKind, mailKinds } from "#app/modules/email/rules.ts";
import type { Viewer } from "../rules.ts";
import { changeMailsOff } from "../queries.server.ts";

/** Stores which optional emails this user wants. Emails already in the outbox are still sent. */
export async function switchMails(
  app: Pick<App, "db">,
  viewer: Viewer,
  wanted: Record<MailKind, boolean>,
): Promise<void> {
  const off = mailKinds.filter((kind) => !wanted[kind]);
  await app.db.batch([changeMailsOff(app.db, { id: viewer.session.id, accountId: viewer.account.id }, off)]);
}
