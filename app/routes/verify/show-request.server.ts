import { type RequestId, noAccount } from "#app/core/id.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { listTries, readTries } from "#app/modules/accounts/codes/quotas.queries.server.ts";
import type { SensitiveAction } from "#app/core/sensitive-action.ts";
import {
  type Code,
  codeLifeMs,
  checkCode,
  checkTries,
  type OverRefusal,
  type Purpose,
  type TriesPausedRefusal,
  staysInBrowser,
  triesLeft,
} from "#app/modules/accounts/codes/rules.ts";
import { sendGapMs } from "#app/modules/accounts/codes/email-quotas.rules.ts";
import {
  findRequested,
  idOfRequest,
  emailOfRequest,
  triesOfRequest,
} from "#app/modules/accounts/codes/requests.queries.server.ts";
import { findNewestCode } from "#app/modules/accounts/codes/queries.server.ts";
import { hashToken } from "#app/core/hash.ts";
import { readPath } from "#app/core/text/path.ts";
import { pagePaths } from "#app/core/page-paths.ts";
import { maskEmailAddress } from "#app/core/text/email-address.ts";
import { type DeliveryState, deliveryStateOf } from "#app/modules/email/rules.ts";
import { findEmail } from "#app/modules/email/queries.server.ts";
import { offerReauthentication } from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { listPasskeys } from "#app/modules/accounts/passkeys/queries.server.ts";

/** What the page that waits for a proof shows. The address is masked, except in the browser where it was typed. */
export type ShownRequest = { kind: "absent" } | ShownElsewhere | ShownUsed | ShownHere;

type ShownElsewhere = {
  kind: "elsewhere";
  maskedAddress: string;
  /** What this browser can do instead. Null if the request works only where it was made. */
  instead: "sign-up" | "sign-in" | null;
  /** Why the link's code is no longer valid. Null if it still is. */
  over: OverRefusal["reason"] | null;
};

/** The request was completed, so there is nothing to enter or ask for. */
type ShownUsed = { kind: "used"; isSignedIn: boolean };

type ShownHere = {
  kind: "here";
  requestId: RequestId;
  purpose: Purpose;
  /** What a re-authentication is for. Null for another purpose, or if it isn't known. */
  action: SensitiveAction | null;
  /** Where the user returns to on cancelling the re-authentication. */
  cancelPath: string;
  /** In full, so that a typo shows; masked if it was typed in another browser. */
  address: string;
  /** How far the email got, whatever it contains. With "none", the email quota was used up, and the request waits for a passkey. */
  delivery: DeliveryState | "none";
  /** Until when the email service says that its quota is used up. Null if it isn't, or if the service doesn't say. */
  quotaUntil: number | null;
  expiresAt: number;
  resendAt: number;
  triesLeft: number;
  /** Why the code is no longer valid. Null if it still is. */
  over: Exclude<OverRefusal["reason"], "code-used"> | null;
  /** Why this browser can't use any code for this address at the moment, and until when. We email none in the meantime. */
  shut: TriesPausedRefusal | null;
  /** Null if the account has no passkey that could replace the code. */
  offer: Awaited<ReturnType<typeof offerReauthentication>>;
};

/**
 * The request a page waits for: the one in the URL, if it is this browser's; without an id its newest. Another browser's request is
 * recognised only to say "enter the code there".
 */
export async function showRequest(
  app: Base & Site & Secrets,
  requestId: RequestId | null,
  browserToken: string | null,
  viewer: Viewer | null = null,
): Promise<ShownRequest> {
  if (requestId === null && browserToken === null) return { kind: "absent" };
  const browserHash = browserToken ? await hashToken(browserToken) : "";
  const found = await findAllOfRequest(app, requestId, browserHash, viewer);
  if (!found) return { kind: "absent" };
  const isHere = found.codeRequest.browserHash === browserHash;
  return isHere ? showHere(app, found, viewer) : showElsewhere(found.codeRequest, app.clock());
}

type Found = NonNullable<Awaited<ReturnType<typeof findAllOfRequest>>>;

/** Takes one round trip: everything about a request is found by a subquery of its id. */
async function findAllOfRequest(
  { db, clock }: Pick<App, "db" | "clock">,
  requestId: RequestId | null,
  browserHash: string,
  viewer: Viewer | null,
) {
  const id = idOfRequest(requestId, browserHash);
  const {
    requested: [row],
    newest: [newest],
    email: [email],
    passkeys,
    ...tries
  } = await batchNamed(db, {
    requested: findRequested(db, id),
    newest: findNewestCode(db, browserHash),
    email: findEmail(db, emailOfRequest(id)),
    passkeys: listPasskeys(db, viewer?.account.id ?? noAccount),
    ...listTries(db, triesOfRequest(id), browserHash, clock()),
  });
  return row ? { codeRequest: row, newest, email, passkeys, ...readTries(tries) } : null;
}

function showElsewhere({ addressTyped, purpose, ...code }: Code, now: number): ShownElsewhere {
  return {
    kind: "elsewhere",
    maskedAddress: maskEmailAddress(addressTyped),
    instead: staysInBrowser(purpose) ? null : purpose,
    over: checkCode(code, now)?.reason ?? null,
  };
}

async function showHere(
  app: Base & Site & Secrets,
  { codeRequest, newest, email, passkeys, triedAts, pausedUntil }: Found,
  viewer: Viewer | null,
): Promise<ShownUsed | ShownHere> {
  const now = app.clock();
  const over = checkCode(codeRequest, now)?.reason ?? null;
  if (over === "code-used") return { kind: "used", isSignedIn: viewer !== null };
  const isOfViewer = codeRequest.purpose === "reauthentication" && viewer?.account.id === codeRequest.accountId;
  return {
    kind: "here",
    requestId: codeRequest.id,
    purpose: codeRequest.purpose,
    action: codeRequest.carried.action ?? null,
    cancelPath: cancelPathOf(codeRequest),
    address: codeRequest.carried.typedElsewhere ? maskEmailAddress(codeRequest.addressTyped) : codeRequest.addressTyped,
    delivery: codeRequest.emailId === null ? "none" : email ? deliveryStateOf(email, now) : "sent",
    quotaUntil: email?.quotaUntil ?? null,
    // While the email is queued, the code is valid for at least this long.
    expiresAt: Math.min(codeRequest.expiresAt, (email?.sentAt ?? now) + codeLifeMs),
    resendAt: (newest?.createdAt ?? codeRequest.createdAt) + sendGapMs,
    triesLeft: triesLeft(codeRequest, triedAts, now),
    over,
    shut: checkTries({ triedAts, pausedUntil }, now),
    offer: isOfViewer && viewer ? await offerReauthentication(app, viewer.account.id, passkeys) : null,
  };
}

/** The page whose form was interrupted, without its parameters: those show what only re-authentication allows. */
function cancelPathOf({ carried }: Code): string {
  const path = readPath(carried.redirectTo)?.split(/[?#]/)[0];
  return !path || path === pagePaths.verify ? pagePaths.overview : path;
}
