import type { App } from "#app/app.ts";
import type { EmailId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail } from "./deliver-email.server.ts";
import { holdsCode } from "../failed-emails.rules.ts";
import { readRecipient } from "../reads/read-recipient.server.ts";
import type { EmailState } from "../rules.ts";
import { findEmail, changeEmailToDue, requeueEmail } from "../queries.server.ts";

export type ResendEmailRefusal =
  | { reason: "no-such-mail" }
  /** It was sent, so its content is wiped. */
  | { reason: "mail-sent" }
  /** It failed too long ago, or contained a code, so its content is wiped. */
  | { reason: "mail-wiped" };

/** Retries a queued or failed email immediately. Returns the result and the recipient, but no content, which may contain a key. */
export async function resendEmail(
  app: Parameters<typeof deliverEmail>[0] & Pick<App, "db">,
  id: EmailId,
): Promise<Result<{ state: EmailState; to: string | null; template: string }, ResendEmailRefusal>> {
  const { db } = app;
  const now = app.clock();
  const [row] = await findEmail(db, id);
  if (!row) return refused({ reason: "no-such-mail" });
  if (row.state === "sent") return refused({ reason: "mail-sent" });
  const isWiped = row.sealed === null || (row.state === "failed" && holdsCode(row.template));
  if (isWiped) return refused({ reason: "mail-wiped" });
  await db.batch([requeueEmail(db, id, now), changeEmailToDue(db, id, now)]);
  await deliverEmail(app, id);
  const [after = row] = await findEmail(db, id);
  const to = await readRecipient(app, row.sealed);
  return done({ state: after.state, to, template: row.template });
}
