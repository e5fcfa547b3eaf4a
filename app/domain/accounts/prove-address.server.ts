import type { App } from "#app/context.ts";
import {
  endStreak,
  findKnownBrowser,
  findStreak,
  listUses,
  rememberBrowser,
} from "#app/domain/codes/budgets.store.server.ts";
import {
  type Carried,
  type Code,
  codeBudgets,
  hashCode,
  judgeCode,
  judgeTries,
  proofOpens,
  type Purpose,
  type TryRefusal,
} from "#app/domain/codes/rules.ts";
import {
  claimCode,
  codeClaimed,
  findCode,
  listLiveCodes,
  readCode,
  retireSiblings,
} from "#app/domain/codes/store.server.ts";
import { equalInConstantTime, hashToken } from "#app/domain/kernel/digest.ts";
import { parseEmailAddress } from "#app/domain/kernel/email-address.ts";
import { newId, newToken } from "#app/domain/kernel/id.ts";
import { done, refused, type Result } from "#app/domain/kernel/result.ts";
import { addActivity } from "./activities.store.server.ts";
import { countWrongTry } from "./count-wrong-try.server.ts";
import { sessionAbsoluteMs } from "./rules.ts";
import {
  accountIsMissing,
  accountStands,
  addAccount,
  addSession,
  findAccountByAddress,
  rotateSession,
} from "./store.server.ts";

type Powers = Pick<App, "db" | "clock" | "random" | "pepper" | "product" | "mail" | "later" | "report">;

export type Proof = {
  requestId: string;
  digits: string;
  browserToken: string;
  /** The session cookie that the browser carries already, if any: it is replaced, never adopted. */
  sessionToken: string | null;
  device: string;
  place: string | null;
};

export type Proven = {
  requestId: string;
  accountId: string;
  sessionToken: string;
  purpose: Purpose;
  isNew: boolean;
  carried: Carried;
};

/**
 * Takes the eight digits. Right: the code is used up, the account exists, a session is open, all in one batch, once, however
 * many ask at the same time. Wrong: exactly one try is gone.
 */
export async function proveAddress(app: Powers, proof: Proof): Promise<Result<Proven, TryRefusal>> {
  const now = app.clock();
  const browserHash = await hashToken(proof.browserToken);
  const [requests, live] = await app.db.batch([
    findCode(app.db, proof.requestId, browserHash),
    listLiveCodes(app.db, proof.requestId, browserHash, now),
  ]);
  const [row] = requests;
  if (!row) return refused({ reason: "no-request" });
  const request = readCode(row);
  const candidates = live.map(({ code }) => readCode(code));
  // The request decides whose budget it is; it is asked before anything is compared, so that a guess too many learns nothing.
  const budgets = await codeBudgets(app.pepper, request.address, browserHash);
  const tries = await openBudget(app, budgets, browserHash);
  if (!tries.ok) return tries;
  const match = await findMatch(app.pepper, candidates, proof.digits);
  if (match) return useCode(app, match, proof, { addressHash: budgets.addressHash, tries: tries.value });
  // The person may hold an older mail, but a request with nothing alive has one honest answer: what became of it.
  if (candidates.length === 0) return refused(judgeCode(request, now) ?? { reason: "code-expired" });
  return countWrongTry(app, request, tries.value);
}

/** The budget of tries that counts here, the address's or the known browser's own, while it has any left. */
async function openBudget(
  app: Powers,
  budgets: Awaited<ReturnType<typeof codeBudgets>>,
  browserHash: string,
): Promise<Result<string, TryRefusal>> {
  const { db } = app;
  const now = app.clock();
  const { stranger, known } = budgets;
  const [knownBrowsers, strangerUses, knownUses, strangerStreak, knownStreak] = await db.batch([
    findKnownBrowser(db, budgets.addressHash, browserHash),
    listUses(db, stranger.tries, now),
    listUses(db, known.tries, now),
    findStreak(db, stranger.tries),
    findStreak(db, known.tries),
  ]);
  const isKnown = knownBrowsers.length > 0;
  const triedAts = (isKnown ? knownUses : strangerUses).map((use) => use.usedAt);
  const pausedUntil = (isKnown ? knownStreak : strangerStreak)[0]?.pausedUntil ?? null;
  const shut = judgeTries({ triedAts, pausedUntil }, now);
  return shut ? refused(shut) : done(isKnown ? known.tries : stranger.tries);
}

/** Compares with every live code, all of them, so that time tells nothing. */
async function findMatch(pepper: string, candidates: Code[], digits: string): Promise<Code | null> {
  let match: Code | null = null;
  for (const candidate of candidates) {
    const equal = equalInConstantTime(candidate.codeHash, await hashCode(pepper, candidate.id, digits));
    if (equal) match = candidate;
  }
  return match;
}

type Budgets = { addressHash: string; tries: string };

async function useCode(app: Powers, code: Code, proof: Proof, budgets: Budgets): Promise<Result<Proven, TryRefusal>> {
  const { db } = app;
  const now = app.clock();
  const ids = { session: newId("ses", app.random), account: newId("acc", app.random) };
  const sessionToken = newToken(app.random);
  const claimed = codeClaimed(code.id, ids.session);
  const session = {
    id: ids.session,
    address: code.address,
    tokenHash: await hashToken(sessionToken),
    device: proof.device,
    place: proof.place,
    now,
    expiresAt: now + sessionAbsoluteMs,
  };
  const [claim] = await db.batch([
    claimCode(db, code.id, ids.session, budgets.tries, now),
    ...(proofOpens[code.purpose].createsAccount ? [addAccount(db, newAccount(app, code, ids.account), claimed)] : []),
    addSession(db, session, claimed),
    ...noteProof(app, code.purpose, ids),
    ...(proof.sessionToken ? [rotateSession(db, await hashToken(proof.sessionToken), now, claimed)] : []),
    retireSiblings(db, code, claimed),
    endStreak(db, budgets.tries, claimed),
    rememberBrowser(db, { addressHash: budgets.addressHash, browserHash: code.browserHash }, claimed, now),
  ]);
  if (claim.meta.changes !== 1) return refuseClaim(app, code, budgets.tries);
  const [account] = await findAccountByAddress(db, code.address);
  if (!account) return refused({ reason: "no-request" });
  const { purpose, carried } = code;
  const isNew = account.id === ids.account;
  return done({ requestId: code.id, accountId: account.id, sessionToken, purpose, isNew, carried });
}

/** Follows the session; where there is none, nothing is noted. Signing up with an address that has an account signs in. */
function noteProof(app: Powers, purpose: Purpose, ids: { session: string; account: string }) {
  const activity = { id: newId("act", app.random), sessionId: ids.session, now: app.clock() };
  if (purpose === "fresh-proof") return [addActivity(app.db, { ...activity, what: "confirmed" })];
  return [
    addActivity(app.db, { ...activity, what: "signed-up" }, accountStands(ids.account)),
    addActivity(app.db, { ...activity, what: "signed-in" }, accountIsMissing(ids.account)),
  ];
}

function newAccount(app: Powers, code: Code, id: string) {
  const address = parseEmailAddress(code.addressTyped);
  if (!address) throw new Error("A stored address does not parse");
  const { locale, timeZone } = app.product;
  return { id, address, locale, timeZone, termsVersion: code.carried.termsVersion ?? "", now: app.clock() };
}

/** The code was right but not ours to use any more: somebody was faster, or the budget was gone by then. */
async function refuseClaim(app: Powers, code: Code, tries: string): Promise<Result<never, TryRefusal>> {
  const now = app.clock();
  const [rows, uses, streaks] = await app.db.batch([
    findCode(app.db, code.id, code.browserHash),
    listUses(app.db, tries, now),
    findStreak(app.db, tries),
  ]);
  const [row] = rows;
  const budget = { triedAts: uses.map((use) => use.usedAt), pausedUntil: streaks[0]?.pausedUntil ?? null };
  return refused((row && judgeCode(readCode(row), now)) ?? judgeTries(budget, now) ?? { reason: "code-used" });
}
