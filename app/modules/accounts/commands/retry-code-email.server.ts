import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { type Code, checkCode } from "#app/modules/accounts/codes/rules.ts";
import { deliveryStateOf, isWaiting } from "#app/modules/email/rules.ts";
import { findEmail, changeEmailToDue } from "#app/modules/email/queries.server.ts";
import { sendCodeEmail } from "./send-code-email.server.ts";

type Deps = Base & Site & Secrets & Outbox;

/**
 * On "Send another code" while the last email is still queued, retries that email instead. It counts against no quota, and the user doesn't
 * get five codes once emails are delivered again. Returns false if nothing is queued.
 */
export async function retryCodeEmail(app: Deps, code: Code): Promise<boolean> {
  const now = app.clock();
  if (code.emailId === null || checkCode(code, now)) return false;
  const {
    email: [email],
    hurried,
  } = await batchNamed(app.db, {
    email: findEmail(app.db, code.emailId),
    hurried: changeEmailToDue(app.db, code.emailId, now),
  });
  if (!email || !isWaiting(deliveryStateOf(email, now))) return false;
  if (hurried.meta.changes === 1) app.later(sendCodeEmail(app, code));
  return true;
}
