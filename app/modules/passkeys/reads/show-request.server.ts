import { batchNamed } from "#app/db/batch.server.ts";
import type { App, Base, Secrets, Site } from "#app/app.ts";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import { listTries, readTries } from "#app/modules/codes/quotas.queries.server.ts";
import {
  type Code,
  codeLifeMs,
  judgeCode,
  judgeTries,
  type OverRefusal,
  type Purpose,
  type ShutRefusal,
  staysInBrowser,
  triesLeft,
} from "#app/modules/codes/rules.ts";
import { sendGapMs } from "#app/modules/codes/mail-quotas.rules.ts";
import {
  findRequested,
  idOfRequest,
  mailOfRequest,
  triesOfRequest,
} from "#app/modules/codes/requests.queries.server.ts";
import { findNewestCode, readCode } from "#app/modules/codes/queries.server.ts";
import { hashToken } from "#app/core/digest.ts";
import { maskEmailAddress } from "#app/core/text/email-address.ts";
import { type MailStanding, standingOf } from "#app/modules/email/rules.ts";
import { findMail, readMail } from "#app/modules/email/queries.server.ts";
import { offerReauthentication } from "./offer-passkey.server.ts";
import { listPasskeys, readPasskey } from "../queries.server.ts";

/** What the page that waits for a proof shows. An address leaves here masked, but for the browser in which it was typed. */
export type ShownRequest = { kind: "absent" } | ShownElsewhere | ShownUsed | ShownHere;

type ShownElsewhere = {
  kind: "elsewhere";
  maskedAddress: string;
  /** How it may go on in this browser instead; null: only where it was asked for. */
  instead: "sign-up" | "sign-in" | null;
  /** What became of the code that the link carries; null: it works still. */
  over: OverRefusal["reason"] | null;
};

/** What it was for is done: there is nothing to type, and nothing to ask for. */
type ShownUsed = { kind: "used"; isSignedIn: boolean };

type ShownHere = {
  kind: "here";
  requestId: string;
  purpose: Purpose;
  /** Whole, so that a slip in it is seen; masked where another browser typed it. */
  address: string;
  /** Whether the mail has left, whatever it holds. None: there was no budget for one, and the request waits for a passkey. */
  mail: MailStanding | "none";
  expiresAt: number;
  resendAt: number;
  triesLeft: number;
  /** Why the code doesn't work any more; null: it does. */
  over: Exclude<OverRefusal["reason"], "code-used"> | null;
  /** Why no code of this address works here at the moment, and until when: none is mailed meanwhile. */
  shut: ShutRefusal | null;
  /** Null: none of the account's passkeys can stand in for the code. */
  offer: Awaited<ReturnType<typeof offerReauthentication>>;
};

/**
 * The request that a browser waits on: the one the address names, if this browser asked for it; without a name its newest.
 * A request of another browser is told apart only to say "type the code there".
 */
export async function showRequest(
  app: Base & Site & Secrets,
  requestId: string | null,
  browserToken: string | null,
  viewer: Viewer | null = null,
): Promise<ShownRequest> {
  if (requestId === null && browserToken === null) return { kind: "absent" };
  const browserHash = browserToken ? await hashToken(browserToken) : "";
  const found = await findAllOfRequest(app, requestId, browserHash, viewer);
  if (!found) return { kind: "absent" };
  const isHere = found.request.browserHash === browserHash;
  return isHere ? showHere(app, found, viewer) : showElsewhere(found.request, app.clock());
}

type Found = NonNullable<Awaited<ReturnType<typeof findAllOfRequest>>>;

/** All in one trip: what stands beside the request is found by its id, whichever that is. */
async function findAllOfRequest(
  { db, clock }: Pick<App, "db" | "clock">,
  requestId: string | null,
  browserHash: string,
  viewer: Viewer | null,
) {
  const id = idOfRequest(requestId, browserHash);
  const {
    requested: [row],
    newest: [newest],
    mail: [mail],
    passkeys,
    ...tries
  } = await batchNamed(db, {
    requested: findRequested(db, id),
    newest: findNewestCode(db, browserHash),
    mail: findMail(db, mailOfRequest(id)),
    passkeys: listPasskeys(db, viewer?.account.id ?? ""),
    ...listTries(db, triesOfRequest(id), browserHash, clock()),
  });
  return row ? { request: readCode(row), newest, mail, passkeys, ...readTries(tries) } : null;
}

function showElsewhere({ addressTyped, purpose, ...code }: Code, now: number): ShownElsewhere {
  return {
    kind: "elsewhere",
    maskedAddress: maskEmailAddress(addressTyped),
    instead: staysInBrowser(purpose) ? null : purpose,
    over: judgeCode(code, now)?.reason ?? null,
  };
}

async function showHere(
  app: Base & Site & Secrets,
  { request, newest, mail, passkeys, triedAts, pausedUntil }: Found,
  viewer: Viewer | null,
): Promise<ShownUsed | ShownHere> {
  const now = app.clock();
  const over = judgeCode(request, now)?.reason ?? null;
  if (over === "code-used") return { kind: "used", isSignedIn: viewer !== null };
  const isOfViewer = request.purpose === "fresh-proof" && viewer?.account.id === request.accountId;
  return {
    kind: "here",
    requestId: request.id,
    purpose: request.purpose,
    address: request.carried.typedElsewhere ? maskEmailAddress(request.addressTyped) : request.addressTyped,
    mail: request.mailId === null ? "none" : mail ? standingOf(readMail(mail), now) : "sent",
    // While the mail is on its way, at least so long.
    expiresAt: Math.min(request.expiresAt, (mail?.sentAt ?? now) + codeLifeMs),
    resendAt: (newest?.createdAt ?? request.createdAt) + sendGapMs,
    triesLeft: triesLeft(request, triedAts, now),
    over,
    shut: judgeTries({ triedAts, pausedUntil }, now),
    offer: isOfViewer && viewer ? await offerReauthentication(app, viewer.account.id, passkeys.map(readPasskey)) : null,
  };
}
