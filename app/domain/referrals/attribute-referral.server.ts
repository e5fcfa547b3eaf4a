import type { App } from "#app/context.ts";
import { tombstoneHash } from "#app/domain/accounts/rules.ts";
import { findAccount } from "#app/domain/accounts/store.server.ts";
import { newId } from "#app/domain/kernel/id.ts";
import { readReferralCode } from "./rules.ts";
import { addReferral } from "./store.server.ts";

/**
 * A new account was brought by somebody's link. One statement decides all of it, so that a repeat, a race, an unknown code and
 * one's own all end in at most one row. Nobody is told of what was ignored: the sign-up doesn't depend on it.
 */
export async function attributeReferral(
  app: Pick<App, "db" | "clock" | "random" | "pepper">,
  friend: { friendId: string; code: string },
): Promise<"attributed" | "ignored"> {
  const code = readReferralCode(friend.code);
  if (code === null) return "ignored";
  const id = newId("ref", app.random);
  const [account] = await findAccount(app.db, friend.friendId);
  const tombstone = await tombstoneHash(app.pepper, account?.emailCanonical ?? "");
  const added = await addReferral(app.db, { id, friendId: friend.friendId, code, tombstone, now: app.clock() });
  return added.meta.changes === 1 ? "attributed" : "ignored";
}
