import type { AccountId } from "#app/core/id.ts";
import { batchNamed, type Statement } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { newActivity } from "#app/modules/accounts/activities.rules.ts";
import { addActivity } from "#app/modules/accounts/activities.queries.server.ts";
import { openFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { listFormerAddresses } from "#app/modules/accounts/former-addresses.queries.server.ts";
import {
  findOwnAccount,
  listOwnActivities,
  listOwnAddressChanges,
  listOwnPasskeys,
  listOwnSessions,
} from "#app/modules/accounts/personal-data.queries.server.ts";
import { isReauthenticated, type Viewer } from "#app/modules/accounts/rules.ts";
import { sessionIsActive } from "#app/modules/accounts/sessions.queries.server.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { spellInstants } from "#app/core/time/time.ts";
import { listOwnLedger } from "#app/modules/billing/credit/personal-data.queries.server.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { listOwnEmails } from "#app/modules/email/personal-data.queries.server.ts";
import { addEmail, justChanged } from "#app/modules/email/queries.server.ts";
import { listOwnDocuments } from "#app/modules/billing/documents/personal-data.queries.server.ts";
import { documentNumber, type IssuedDocument } from "#app/modules/billing/documents/rules.ts";
import {
  listOwnLines,
  listOwnHistoryEvents,
  listOwnOrders,
  listOwnWithdrawals,
  listStrayWithdrawals,
} from "#app/modules/billing/orders/personal-data.queries.server.ts";
import { listOwnCancellations } from "#app/modules/billing/cancellations/personal-data.queries.server.ts";
import { orderNumber } from "#app/modules/billing/orders/rules.ts";
import { readOrder } from "#app/modules/billing/orders/queries.server.ts";
import {
  listOwnCustomers,
  listOwnReasons,
  listOwnSubscriptions,
} from "#app/modules/billing/subscriptions/personal-data.queries.server.ts";
import { listReferred, listOwnDiscounts, listOwnLinks } from "#app/modules/referrals/personal-data.queries.server.ts";
import { findReferralOf } from "#app/modules/referrals/queries.server.ts";
import { groupByOrder } from "../order-parts.rules.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * The data export: everything stored about one person, module by module, without hashes, keys or other people's data. It needs a
 * re-authentication; the first export after each one logs an activity and emails the owner, in the same round trip.
 */
export async function gatherData(
  app: Deps,
  { account, session }: Viewer,
): Promise<Result<unknown, { reason: "proof-stale" }>> {
  if (!isReauthenticated(session, app.clock())) return refused({ reason: "proof-stale" });
  const { db } = app;
  const { id } = account;
  const exporting = app.hooks.flatMap(({ name, exported }) => {
    const rows = exported?.(db, id);
    return rows === undefined ? [] : [{ name, rows }];
  });
  const content = { template: "data-downloaded", device: session.device } as const;
  const email = await sealEmail(app, account.email, content, `${id}.data-downloaded.${session.id}`);
  const {
    noted,
    queued,
    people,
    formerAddresses,
    lines,
    documents,
    historyEvents,
    orderWithdrawals,
    ofFeatures,
    ...own
  } = await batchNamed(db, {
    noted: addActivity(db, newActivity(app, session.id, "data-downloaded"), sessionIsActive(session)),
    queued: addEmail(db, email, justChanged),
    ...readersOf(app, id),
    ofFeatures: exporting.flatMap(({ rows }) => (isStatement(rows) ? rows : Object.values(rows))),
  });
  // The request may have taken a while, and the session ended meanwhile.
  if (noted.meta.changes !== 1) return refused({ reason: "proof-stale" });
  if (queued.meta.changes === 1) app.later(deliverEmail(app, email.id));
  const [person] = people;
  const { sessions, activities, addressChanges, passkeys } = own;
  const former = await Promise.all(formerAddresses.map((row) => openFormerAddress(app.pepper, row)));
  const ofAccount = { sessions, activities, addressChanges, formerAddresses: former, passkeys };
  const partsOf = groupByOrder({
    lines,
    documents: documents.map(withNumber),
    moments: historyEvents,
    withdrawals: orderWithdrawals,
  });
  const next = ofFeatures.values();
  const gathered = {
    product: app.product.name,
    writtenAt: app.clock(),
    account: { ...person, mailsOff: person?.mailsOff ?? [], ...ofAccount },
    ...Object.fromEntries(
      exporting.map(({ name, rows }) => [
        name,
        isStatement(rows)
          ? next.next().value
          : Object.fromEntries(Object.keys(rows).map((part) => [part, next.next().value])),
      ]),
    ),
    plan: { customers: own.customers, subscriptions: own.subscriptions, cancellationReasons: own.reasons },
    orders: own.orders.map((row) => ({ ...describeOrder(row), ...partsOf(row.id) })),
    // Withdrawals that couldn't be matched to an order.
    withdrawals: own.strays,
    cancellations: own.cancellations,
    referrals: {
      links: own.links,
      brought: own.brought,
      broughtBy: own.broughtBy,
      friendDiscounts: own.friendDiscounts,
      credit: own.credit,
    },
    mails: own.mails,
  };
  return done(spellInstants(gathered));
}

function readersOf(app: Pick<App, "db" | "hooks">, id: AccountId) {
  const { db } = app;
  return {
    people: findOwnAccount(db, id),
    sessions: listOwnSessions(db, id),
    activities: listOwnActivities(db, id),
    addressChanges: listOwnAddressChanges(db, id),
    formerAddresses: listFormerAddresses(db, id),
    passkeys: listOwnPasskeys(db, id),
    customers: listOwnCustomers(db, id),
    subscriptions: listOwnSubscriptions(db, id),
    reasons: listOwnReasons(db, id),
    orders: listOwnOrders(db, id),
    lines: listOwnLines(db, id),
    documents: listOwnDocuments(db, id),
    historyEvents: listOwnHistoryEvents(db, id),
    orderWithdrawals: listOwnWithdrawals(db, id),
    strays: listStrayWithdrawals(db, id),
    cancellations: listOwnCancellations(db, id),
    links: listOwnLinks(db, id),
    brought: listReferred(db, id),
    broughtBy: findReferralOf(db, id),
    friendDiscounts: listOwnDiscounts(db, id),
    credit: listOwnLedger(db, id),
    mails: listOwnEmails(app, id),
  };
}

function isStatement(rows: Statement | Readonly<Record<string, Statement>>): rows is Statement {
  return "_prepare" in rows;
}

function withNumber({ numberYear, numberInYear, ...document }: IssuedDocument) {
  return { number: documentNumber({ kind: document.kind, numberYear, numberInYear }), ...document };
}

/** An order as its page shows it, without what belongs to it. */
function describeOrder(row: Parameters<typeof readOrder>[0]) {
  const { accountId: _account, numberYear: _year, numberInYear: _inYear, ...facts } = readOrder(row);
  return { number: orderNumber(row), ...facts };
}
