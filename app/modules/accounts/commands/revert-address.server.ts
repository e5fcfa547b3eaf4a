import type { AccountId } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { retireCodesOfAccount } from "#app/modules/accounts/codes/queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { maskEmailAddress } from "#app/core/text/email-address.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { deliverEmail, sealEmail } from "#app/modules/email/commands/deliver-email.server.ts";
import { addEmail } from "#app/modules/email/queries.server.ts";
import { activityFacts } from "../activities.rules.ts";
import { type AddressChange, doubtBeforeChangeMs, checkRevert, type RevertRefusal } from "../address-change.rules.ts";
import {
  addressReverted,
  startRevert,
  findAddressChange,
  type Revert,
  undoChange,
} from "../address-changes.queries.server.ts";
import { sealFormerAddress } from "../former-addresses.rules.ts";
import { addFormerAddress } from "../former-addresses.queries.server.ts";
import { type Account, canonicalOf } from "../rules.ts";
import { findAccountByAddress } from "../queries.server.ts";
import { endAllSessions } from "../sessions.queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/** What the link's page shows before the user confirms. The address is masked here. */
export type ShownRevert = { maskedAddress: string; passkeysSince: number; locale: string; timeZone: string };

export async function showRevert(
  app: Pick<App, "db" | "clock" | "network">,
  token: string,
): Promise<Result<ShownRevert, RevertRefusal>> {
  const found = await findOpenChange(app, token);
  if (!found.ok) return found;
  const { change, account } = found.value;
  return done({
    maskedAddress: maskEmailAddress(change.fromEmail),
    passkeysSince: change.changedAt - doubtBeforeChangeMs,
    locale: account.locale,
    timeZone: account.timeZone,
  });
}

/** How often a revert starts over because the address was changed again meanwhile. */
const attemptsMax = 5;

type Browser = { device: string; country: string | null };

/**
 * Reverts a change of address for the holder of the emailed link, once. One batch restores the address, marks later changes as overtaken,
 * ends every session, voids pending codes of the account, removes passkeys added since the day before the change, and emails both
 * addresses. If the address was changed again meanwhile, that change is undone as well, and the newest address is emailed too.
 */
export async function revertAddress(
  app: Deps,
  token: string,
  browser: Browser,
): Promise<Result<{ accountId: AccountId }, RevertRefusal>> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const found = await findOpenChange(app, token);
    if (!found.ok) return found;
    if (await tryRevert(app, found.value, browser)) return done({ accountId: found.value.account.id });
    const again = await findOpenChange(app, token);
    if (!again.ok) return again;
    if (again.value.account.email === found.value.account.email) return refused({ reason: "link-used" });
  }
  throw new Error(`An address changed again during each of ${attemptsMax} attempts to revert a change`);
}

/** Returns false if the change was already reverted, or if the account's address has changed again. */
async function tryRevert(app: Deps, { change, account }: OpenChange, browser: Browser): Promise<boolean> {
  const { db } = app;
  const now = app.clock();
  const line = activityFacts(app, "address-reverted");
  const revert: Revert = {
    changeId: change.id,
    accountId: account.id,
    from: account.email,
    line,
    ...browser,
  };
  const reverted = addressReverted(revert);
  const before = { original: change.fromEmail, canonical: change.fromCanonical };
  const content = { template: "address-reverted", to: maskEmailAddress(change.fromEmail) } as const;
  const addresses = [...new Set([change.fromEmail, account.email])];
  const emails = await Promise.all(
    addresses.map((address) => sealEmail(app, address, { ...content, isCurrent: address === change.fromEmail })),
  );
  const {
    started: [started],
  } = await batchNamed(db, {
    started: startRevert(db, revert),
    undone: undoChange(db, revert, reverted),
    hooks: app.hooks.flatMap(
      ({ addressChanged }) => addressChanged?.(db, { from: canonicalOf(account), to: before, guard: reverted }) ?? [],
    ),
    formerAddress: addFormerAddress(db, await sealFormerAddress(app, account), reverted),
    ended: endAllSessions(db, account.id, now, reverted),
    retired: retireCodesOfAccount(db, account.id, reverted),
    emails: emails.map((email) => addEmail(db, { ...email, accountId: account.id }, reverted)),
  });
  if (started.meta.changes !== 1) return false;
  for (const email of emails) app.later(deliverEmail(app, email.id));
  return true;
}

type OpenChange = { change: AddressChange; account: Account };

/** The change behind a link that still works, or why it doesn't. */
async function findOpenChange(
  app: Pick<App, "db" | "clock" | "network">,
  token: string,
): Promise<Result<OpenChange, RevertRefusal>> {
  const [row] = await findAddressChange(app.db, await hashToken(token));
  if (!row) return refused({ reason: "link-unknown" });
  const { change, account } = row;
  const over = checkRevert(change, app.clock());
  if (over) return refused(over);
  // The address is reserved, but at the end of the seventh day two Workers' clocks may disagree on whether it still is.
  const [holder] = await findAccountByAddress(app.db, change.fromCanonical);
  if (holder && holder.id !== change.accountId) return refused({ reason: "address-taken" });
  return done({ change, account });
}
