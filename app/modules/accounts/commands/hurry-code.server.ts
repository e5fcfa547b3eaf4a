import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { type Code, judgeCode } from "#app/modules/codes/rules.ts";
import { standingOf } from "#app/modules/email/rules.ts";
import { findMail, hurryMail, readMail } from "#app/modules/email/queries.server.ts";
import { deliverCode } from "./deliver-code.server.ts";

type Powers = Base & Site & Secrets & Outbox;

/**
 * "Send another code" while the last one is held up in the outbox: that one is tried again now. It takes no mail from the
 * hour's budget, and no one finds five codes in the inbox once mail is back. False: there is nothing to hurry.
 */
export async function hurryCode(app: Powers, code: Code): Promise<boolean> {
  const now = app.clock();
  if (code.mailId === null || judgeCode(code, now)) return false;
  const {
    mail: [mail],
    hurried,
  } = await batchNamed(app.db, { mail: findMail(app.db, code.mailId), hurried: hurryMail(app.db, code.mailId, now) });
  if (!mail || standingOf(readMail(mail), now) !== "late") return false;
  if (hurried.meta.changes === 1) app.later(deliverCode(app, code));
  return true;
}
