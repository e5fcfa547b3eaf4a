import { noEmail } from "#app/core/id.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import type { Code } from "#app/modules/accounts/codes/rules.ts";
import { startCodesAtSending } from "#app/modules/accounts/codes/expiry.queries.server.ts";
import { deliverEmail } from "#app/modules/email/commands/deliver-email.server.ts";

type Deps = Base & Site & Secrets & Outbox;

/** Sends a code's email; its ten minutes start when it was sent. For emails that the cron job sends later, the cron job starts them. */
export async function sendCodeEmail(app: Deps, code: Pick<Code, "id" | "emailId">): Promise<void> {
  const outcome = await deliverEmail(app, code.emailId ?? noEmail);
  if (outcome === "sent") await app.db.batch([startCodesAtSending(app.db, app.clock(), code.id)]);
}
