import type { App } from "#app/context.ts";
import { findAccountByAddress } from "#app/domain/accounts/store.server.ts";
import { budgetWindowMs, sendsPerHourMax, sendsPerNetworkMax, whenFree } from "#app/domain/codes/rules.ts";
import { listUses, takeUses, type Use, usesTaken } from "#app/domain/codes/uses.store.server.ts";
import { isFlooded } from "#app/domain/kernel/flood.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { networkOf } from "#app/domain/kernel/network.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { formatExactly, minuteMs } from "#app/domain/kernel/time.ts";
import { deliverMail, sealLetter } from "#app/domain/mail/deliver-mail.server.ts";
import { addMail } from "#app/domain/mail/store.server.ts";
import { type Declaration, declarationBudgets, readMeantOrder, sameDeclarationMs } from "./withdrawals.rules.ts";
import { acknowledgeWithdrawals, addWithdrawal, addWithdrawalMoments } from "./withdrawals.store.server.ts";

type Powers = Pick<
  App,
  "db" | "clock" | "random" | "pepper" | "origin" | "product" | "mail" | "later" | "report" | "floodOfForms"
>;

export type DeclareRefusal =
  | { reason: "too-many-mails"; retryAt: number }
  | { reason: "too-many-from-network"; retryAt: number };

/** Who declares it: from which network, who is signed in, if anybody is, and whether to the very address. */
export type Declarer = { ip: string; accountId: string | null; isOwn: boolean };

/**
 * Notes a declaration of withdrawal and mails what was declared, and when. What it reads, writes and answers is the same whether
 * there is such an order, such an address, both or neither. The same declaration once more within a day is there already.
 */
export async function declareWithdrawal(
  app: Powers,
  declaration: Declaration,
  { ip, accountId, isOwn }: Declarer,
): Promise<Result<{ isNew: boolean }, DeclareRefusal>> {
  const { db } = app;
  const now = app.clock();
  const network = networkOf(ip);
  const isFlood = await isFlooded(app.floodOfForms, `withdraw:${network}`, app.report);
  if (isFlood) return refused({ reason: "too-many-from-network", retryAt: now + minuteMs });
  const { name, order, email } = declaration;
  const id = newId("wdr", app.random);
  const use = await useOf(app, declaration, { network, accountId, isOwn });
  const [same, ofAddress, ofNetwork] = use.budgets;
  const row = { id, name, orderTyped: order, email: email.canonical, meant: readMeantOrder(order), accountId, now };
  // On the seller's calendar and clock, whoever reads it: what is declared counts there.
  const declared = formatExactly(now, app.product);
  const [owner] = await findAccountByAddress(db, email.canonical);
  // In the spelling that was proven, if one was: some mail servers tell upper and lower case apart.
  const to = owner?.email ?? email.original;
  const letter = { template: "withdrawal-acknowledged", name, order, email: to, declared } as const;
  const mail = await sealLetter(app, to, letter, id);
  const [before, addressUses, networkUses, noted] = await db.batch([
    listUses(db, same.name, now, same.windowMs),
    listUses(db, ofAddress.name, now),
    listUses(db, ofNetwork.name, now),
    ...takeUses(db, use),
    addWithdrawal(db, row, usesTaken(use)),
    ...addWithdrawalMoments(db, row),
    addMail(db, mail, usesTaken(use)),
  ]);
  if (noted.meta.changes === 1) {
    app.later(acknowledge(app, mail.id));
    return done({ isNew: true });
  }
  if (before.length > 0) return done({ isNew: false });
  const addressFreeAt = freeAt(addressUses, ofAddress.max, now);
  if (addressFreeAt !== null) return refused({ reason: "too-many-mails", retryAt: addressFreeAt });
  return refused({ reason: "too-many-from-network", retryAt: freeAt(networkUses, ofNetwork.max, now) ?? now });
}

/** Once a day in these words, and so many mails an hour for an address and for a network. */
async function useOf(
  app: Pick<App, "clock" | "random" | "pepper">,
  declaration: Declaration,
  from: { network: string; accountId: string | null; isOwn: boolean },
) {
  const names = await declarationBudgets(app.pepper, declaration, from);
  const budgets = [
    { name: names.same, max: 1, windowMs: sameDeclarationMs },
    { name: names.address, max: sendsPerHourMax, windowMs: budgetWindowMs },
    { name: names.network, max: sendsPerNetworkMax, windowMs: budgetWindowMs },
  ] as const;
  return { id: newId("use", app.random), now: app.clock(), budgets } satisfies Use;
}

function freeAt(uses: { usedAt: number }[], max: number, now: number): number | null {
  return whenFree(
    uses.map(({ usedAt }) => usedAt),
    max,
    now,
  );
}

/** The mail leaves after the answer; that it has is noted at once, or by the next sweep. */
async function acknowledge(app: Powers, mailId: string): Promise<void> {
  if ((await deliverMail(app, mailId)) === "sent") await acknowledgeWithdrawals(app.db);
}
