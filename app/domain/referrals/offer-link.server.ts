import type { App } from "#app/context.ts";
import { newReferralCode } from "./rules.ts";
import { addLink, countFriends, findLink, listFriends } from "./store.server.ts";

export type OfferedLink = {
  url: string;
  visits: number;
  signedUp: number;
  friends: { id: string; signedUpAt: number }[];
};

/**
 * The person's own link and what came of it, in one round trip. The link is drawn when its page is first opened, which is a
 * GET: nobody has to ask for it, it promises nothing, and before somebody sends it on it does nothing. Drawing it at sign-up
 * instead would tie every account's birth to this room. Opened forty times at once, the first code stays.
 */
export async function offerLink(
  app: Pick<App, "db" | "clock" | "random" | "origin">,
  accountId: string,
): Promise<OfferedLink> {
  const { db } = app;
  const [, [link], [signedUp], friends] = await db.batch([
    addLink(db, { accountId, code: newReferralCode(app.random), now: app.clock() }),
    findLink(db, accountId),
    countFriends(db, accountId),
    listFriends(db, accountId),
  ]);
  if (!link) throw new Error("A link was drawn but isn't there");
  return { url: `${app.origin}/?ref=${link.code}`, visits: link.visits, signedUp: signedUp?.count ?? 0, friends };
}
