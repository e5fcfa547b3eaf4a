import { occurrences } from "#app/modules/billing/orders/history-events.rules.ts";
import { type WithdrawalId, noOrder } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, Secrets, Site } from "#app/app.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { formatExactly, formatDay } from "#app/core/time/time.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import type { EmailContent } from "#app/modules/email/templates.rules.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { addHistoryEvent } from "#app/modules/billing/orders/history-events.queries.server.ts";
import { orderPath } from "#app/core/page-paths.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { changeToContested, findWithdrawal } from "../withdrawals.queries.server.ts";

type ContestRefusal = { reason: "no-such-withdrawal" } | { reason: "withdrawal-closed" };

type Deps = Base & Site & Secrets & Outbox;

/**
 * Contests a withdrawal for an operator, who says that it was too late, for example, or that there is no such contract. This happens once,
 * and the customer is emailed the reason. Refunds already made stay. Returns the email, its recipient, and when the withdrawal was
 * declared. Null if the account was erased, so that there is no address.
 */
export async function contestWithdrawal(
  app: Deps,
  id: WithdrawalId,
  reason: string,
): Promise<Result<{ to: string; content: EmailContent; declared: string } | null, ContestRefusal>> {
  const { db } = app;
  const now = app.clock();
  const [found] = await findWithdrawal(db, id);
  if (!found) return refused({ reason: "no-such-withdrawal" });
  const { to, content } = emailTo(app, found, reason);
  const { order } = found;
  const isByOwner = found.withdrawal.declaredBy === "owner";
  const key = `${id}.contested`;
  const email = await sealEmail(app, to, content, key);
  const { contested } = await batchNamed(db, {
    contested: changeToContested(db, id, reason, now),
    email: addEmail(db, { ...email, accountId: isByOwner ? order?.accountId : undefined }, justChanged),
    // Adds nothing if no order was identified.
    historyEvent: addHistoryEvent(
      db,
      order?.id ?? noOrder,
      { what: "emailed", occurrence: occurrences.ofEmail.write({ about: "withdrawal-contested", id }) },
      now,
      justChanged,
    ),
  });
  if (contested.meta.changes === 0) return refused({ reason: "withdrawal-closed" });
  app.later(deliverEmail(app, email.id));
  const declared = formatDay(found.withdrawal.declaredAt, found.account ?? app.product);
  return done(to === "" ? null : { to, content, declared });
}

/** Emails the account at the address as its owner spells it. A declared address is stored in its canonical form only. */
function emailTo(
  app: Deps,
  { withdrawal, order, account }: Awaited<ReturnType<typeof findWithdrawal>>[number],
  reason: string,
): { to: string; content: EmailContent } {
  const isOfAccount = account?.emailCanonical === withdrawal.email;
  const content = {
    template: "withdrawal-contested",
    order: order && orderNumber(order),
    declared: formatExactly(withdrawal.declaredAt, isOfAccount ? account : app.product),
    reason,
    ...(order && { url: app.origin + orderPath(order.id) }),
  } as const;
  return { to: isOfAccount ? account.email : withdrawal.email, content };
}
