import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import { openFormerAddress } from "#app/modules/accounts/former-addresses.rules.ts";
import { listFormerAddresses } from "#app/modules/accounts/former-addresses.queries.server.ts";
import { mailboxHash } from "#app/modules/accounts/customer-hashes.rules.ts";
import { findHashOwner } from "#app/modules/accounts/customer-hashes.queries.server.ts";
import { hashMailboxes } from "#app/modules/accounts/commands/hash-mailboxes.server.ts";
import { deletedAddressHash } from "#app/modules/accounts/rules.ts";
import { accountExists, findAccount } from "#app/modules/accounts/queries.server.ts";
import { addUse } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { keyedHash } from "#app/core/hash.ts";
import { mailboxOf } from "#app/core/text/email-address.ts";
import { newId, type AccountId, networkUseId } from "#app/core/id.ts";
import { readLinkCode } from "#app/core/link-code.ts";
import { networkOf } from "#app/core/network.ts";
import { checkSignUp, reviewMs } from "../eligibility.rules.ts";
import {
  addReferral,
  findDeletedAddress,
  isUnattributed,
  listReferrers,
  listReferredBefore,
  listPeople,
  earlierIn,
} from "../attribution.queries.server.ts";
import type { VoidReason } from "../rules.ts";

type Deps = Base & Site & Secrets;

/** `code` comes from the sign-up's link, if there is one. `ip` is null if it isn't known any more. */
type ReferredSignUp = { friendId: AccountId; code: string | null; ip: string | null };

/**
 * Attributes a new account to its first referrer, once and permanently. Ignored ones aren't reported to the user, since the sign-up
 * doesn't depend on it. Accounts that this one referred before it existed are found by the cron job.
 */
export async function attributeReferral(app: Deps, account: ReferredSignUp): Promise<"attributed" | "ignored"> {
  const { db } = app;
  if (app.product.referral.state === "off") return "ignored";
  const now = app.clock();
  const own = await quotaOf(app, account.ip, account.friendId);
  const {
    account: [friend],
    referrers: [referrer],
  } = await batchNamed(db, {
    account: findAccount(db, account.friendId),
    referrers: listReferrers(
      db,
      { friendId: account.friendId, code: readLinkCode(account.code) ?? "" },
      earlierIn(app),
      now,
    ),
    // A sign-up counts against its own link as well: an attacker creates many accounts from one network.
    use: addUse(db, { id: networkUseId(account.friendId), quota: own, now }, accountExists(account.friendId)),
  });
  if (!friend) return "ignored";
  return referrer ? attribute(app, { ...account, address: friend.emailCanonical }, referrer.id) : "ignored";
}

/** Attributes the friends whom this account brought before it existed. One that fails doesn't delay the others. */
export async function attributeReferredBefore(app: Deps & Pick<App, "report">, accountId: AccountId): Promise<void> {
  for (const { friendId } of await listReferredBefore(app.db, accountId, earlierIn(app))) {
    await attributeReferral(app, { friendId, code: null, ip: null }).catch(app.report);
  }
}

async function attribute(
  app: Deps,
  friend: ReferredSignUp & { address: string },
  referrerId: AccountId,
): Promise<"attributed" | "ignored"> {
  const { db } = app;
  const now = app.clock();
  const referral = {
    id: newId("ref", app.random),
    referrerId,
    friendId: friend.friendId,
    voidWhy: await findVoidReason(app, friend, referrerId),
    quota: await quotaOf(app, friend.ip, referrerId),
    now,
    reviewedUntil: now + reviewMs,
  };
  const {
    added: [added],
  } = await batchNamed(db, {
    use: addUse(db, { id: networkUseId(referral.id), quota: referral.quota, now }, isUnattributed(friend.friendId)),
    added: addReferral(db, referral),
  });
  return added.meta.changes === 1 ? "attributed" : "ignored";
}

/**
 * Why the referral is void, judging by addresses: the friend's, the referrer's present and former ones, and those of the referrer's own
 * referrer.
 */
async function findVoidReason(
  app: Deps,
  { friendId, address }: { friendId: AccountId; address: string },
  referrerId: AccountId,
): Promise<VoidReason | null> {
  const { db, pepper } = app;
  await hashMailboxes(app);
  const hashes = await Promise.all([address, mailboxOf(address)].map((each) => deletedAddressHash(pepper, each)));
  const {
    people,
    former,
    deleted,
    hashOwner: [hash],
  } = await batchNamed(db, {
    people: listPeople(db, referrerId),
    former: listFormerAddresses(db, referrerId),
    deleted: findDeletedAddress(db, hashes),
    hashOwner: findHashOwner(db, await mailboxHash(pepper, address)),
  });
  // Another account had this mailbox first, even if it was erased since.
  const isKnown = hash !== undefined && hash.accountId !== friendId;
  const opened = await Promise.all(former.map((row) => openFormerAddress(pepper, row)));
  const addresses = people.filter(({ id }) => id === referrerId).map((each) => each.address);
  return checkSignUp(
    { address, isReturned: isKnown || deleted.length > 0 },
    {
      addresses: [...addresses, ...opened.flatMap((each) => each?.address ?? [])],
      earlierReferrers: people.filter(({ id }) => id !== referrerId).map((each) => each.address),
    },
  );
}

/** A keyed hash of link and network, stored for a day. Nothing is counted for an unknown network. */
function quotaOf(app: Deps, ip: string | null, referrerId: AccountId): Promise<string> {
  const network = ip === null ? newId("nowhere", app.random) : networkOf(ip);
  return keyedHash(app.pepper, "sign-ups of network", `${network}\n${referrerId}`);
}
