import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { readJson } from "#app/db/json-column.ts";
import { listTries, readTries } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import {
  applicableQuotas,
  type Code,
  type CodeQuotas,
  checkCode,
  checkTries,
  type TryRefusal,
} from "#app/modules/accounts/codes/rules.ts";
import { matchesCode } from "#app/modules/accounts/codes/digits.rules.ts";
import { findCode, listLiveCodes } from "#app/modules/accounts/codes/queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { changeAddress } from "./change-address.server.ts";
import { countWrongTry, type OpenQuota } from "./count-wrong-try.server.ts";
import { openSession } from "./open-session.server.ts";
import type { Viewer } from "../rules.ts";
import { findAccountByAddress } from "../queries.server.ts";
import { findViewer } from "../viewer.queries.server.ts";
import type { CodeProofRefusal, Proof, Proven } from "../proof.rules.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

/**
 * Checks the eight digits. If they are right, one batch uses up the code and performs what it was for, once, even if many requests send the
 * same code at the same time. If they are wrong, exactly one try is counted.
 */
export async function proveAddress(app: Deps, proof: Proof): Promise<Result<Proven, CodeProofRefusal>> {
  const now = app.clock();
  const browserHash = await hashToken(proof.browserToken);
  const { requests, live } = await batchNamed(app.db, {
    requests: findCode(app.db, proof.requestId, browserHash),
    live: listLiveCodes(app.db, proof.requestId, browserHash, now),
  });
  const [codeRequest] = requests;
  if (!codeRequest) return refused({ reason: "no-request" });
  const changes = codeRequest.purpose === "change-email";
  const asker = changes ? await findAsker(app, codeRequest, proof) : null;
  if (changes && !asker) return refused(checkCode(codeRequest, now) ?? { reason: "account-not-here" });
  const candidates = live.map(({ code }) => code);
  // The request determines the quota, which is checked before any code is compared, so that a guess beyond the limit learns nothing.
  // Those of the network that asked for the code. Only `addCode` writes this column, so it has this type.
  const quotas = readJson<CodeQuotas>("object", codeRequest.quotas);
  const open = await openQuota(app, { address: codeRequest.address, browserHash }, quotas);
  if (!open.ok) return open;
  const code = await findMatch(app.pepper, candidates, proof.digits);
  const match = code && { code, proof, quotas: { addressHash: quotas.addressHash, tries: open.value.tries } };
  if (match) return asker ? changeAddress(app, asker, match) : openSession(app, match);
  // The user may hold an older email, but without any valid code the refusal says what happened to this request.
  if (candidates.length === 0) return refused(checkCode(codeRequest, now) ?? { reason: "code-expired" });
  return countWrongTry(app, codeRequest, open.value, proof);
}

/**
 * The signed-in viewer who requested a change of address, if still signed in. The code proves the new address, not the person; the
 * person's own proof is checked where the address changes.
 */
async function findAsker(app: Deps, codeRequest: Code, proof: Proof): Promise<Viewer | null> {
  if (!proof.sessionToken) return null;
  const viewer = await findViewer(app.db, await hashToken(proof.sessionToken), app.clock());
  return viewer?.account.id === codeRequest.accountId ? viewer : null;
}

/** The quota of tries that applies: a known browser's own, otherwise the address's. Refused if no try is left in it. */
async function openQuota(
  app: Deps,
  { address, browserHash }: Pick<Code, "address" | "browserHash">,
  quotas: CodeQuotas,
): Promise<Result<OpenQuota, TryRefusal>> {
  const now = app.clock();
  const { accounts, ...rows } = await batchNamed(app.db, {
    accounts: findAccountByAddress(app.db, address),
    ...listTries(app.db, quotas, browserHash, now),
  });
  const tries = readTries(rows);
  const shut = checkTries(tries, now);
  if (shut) return refused(shut);
  return done({ tries: applicableQuotas(quotas, tries.isKnown).tries, owner: accounts[0]?.email ?? null });
}

/** Compares with every valid code, without stopping at a match, so that timing reveals nothing. */
async function findMatch(pepper: string, candidates: Code[], digits: string): Promise<Code | null> {
  let match: Code | null = null;
  for (const candidate of candidates) {
    if (await matchesCode(pepper, candidate, digits)) match = candidate;
  }
  return match;
}
