import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import type { CancellationId } from "#app/core/id.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatExactly } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { closeCancellation, findCancellation } from "../queries.server.ts";

type AnswerRefusal = { reason: "no-such-cancellation" } | { reason: "cancellation-closed" };

/**
 * Closes a declaration for an operator, once; the answer is emailed to the address that it gave. Returns the email and its recipient. Null
 * if the account was erased, so that there is no address.
 */
export async function answerCancellation(
  app: Base & Site & Secrets & Outbox,
  id: CancellationId,
  answer: string,
): Promise<Result<{ to: string; content: EmailContent } | null, AnswerRefusal>> {
  const { db } = app;
  const [found] = await findCancellation(db, id);
  if (!found) return refused({ reason: "no-such-cancellation" });
  const declared = formatExactly(found.declaredAt, app.product);
  const content = { template: "cancellation-answered", declared, answer } as const;
  const email = await sealEmail(app, found.address, content, `${id}.answered`);
  const { closed } = await batchNamed(db, {
    closed: closeCancellation(db, id, answer, app.clock()),
    email: addEmail(db, email, justChanged),
  });
  if (closed.meta.changes === 0) return refused({ reason: "cancellation-closed" });
  app.later(deliverEmail(app, email.id));
  return done(found.address === "" ? null : { to: found.address, content });
}
