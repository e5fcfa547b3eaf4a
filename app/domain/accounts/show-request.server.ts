import type { App } from "#app/context.ts";
import {
  type Code,
  codeBudgets,
  codeLifeMs,
  judgeCode,
  type Purpose,
  sendGapMs,
  staysInBrowser,
  triesLeft,
} from "#app/domain/codes/rules.ts";
import { listTries, readTries } from "#app/domain/codes/budgets.store.server.ts";
import { findCodeAnywhere, findNewestCode, readCode } from "#app/domain/codes/store.server.ts";
import { hashToken } from "#app/domain/kernel/digest.ts";
import { maskEmailAddress } from "#app/domain/kernel/email-address.ts";
import { type MailStanding, standingOf } from "#app/domain/mail/rules.ts";
import { findMail, readMail } from "#app/domain/mail/store.server.ts";

/** What the page that waits for a code shows. Addresses leave here masked. */
export type ShownRequest =
  | { kind: "absent" }
  | { kind: "elsewhere"; requestId: string; mayContinueHere: boolean; maskedAddress: string }
  | {
      kind: "here";
      requestId: string;
      purpose: Purpose;
      maskedAddress: string;
      /** Whether the mail has left, whatever it holds. */
      mail: MailStanding;
      expiresAt: number;
      resendAt: number;
      triesLeft: number;
      isLive: boolean;
    };

/**
 * The request that a browser waits on: the one the address names, if this browser asked for it; without a name its newest.
 * A request of another browser is told apart only to say "type the code there".
 */
export async function showRequest(
  app: Pick<App, "db" | "clock" | "pepper">,
  requestId: string | null,
  browserToken: string | null,
): Promise<ShownRequest> {
  const now = app.clock();
  const browserHash = browserToken ? await hashToken(browserToken) : null;
  const request = await findRequest(app, requestId, browserHash);
  if (!request) return { kind: "absent" };
  const { id, purpose } = request;
  const maskedAddress = maskEmailAddress(request.addressTyped);
  if (request.browserHash !== browserHash) {
    return { kind: "elsewhere", requestId: id, mayContinueHere: !staysInBrowser(purpose), maskedAddress };
  }
  const budgets = await codeBudgets(app.pepper, request.address, request.browserHash);
  const [[newest], [mail], ...tries] = await app.db.batch([
    findNewestCode(app.db, request.browserHash),
    findMail(app.db, request.mailId ?? ""),
    ...listTries(app.db, budgets, request.browserHash, now),
  ]);
  return {
    kind: "here",
    requestId: id,
    purpose,
    maskedAddress,
    mail: mail ? standingOf(readMail(mail), now) : "sent",
    // While the mail is on its way, at least so long.
    expiresAt: Math.min(request.expiresAt, (mail?.sentAt ?? now) + codeLifeMs),
    resendAt: (newest?.createdAt ?? request.createdAt) + sendGapMs,
    triesLeft: triesLeft(request, readTries(budgets, tries).triedAts, now),
    isLive: judgeCode(request, now) === null,
  };
}

async function findRequest(
  app: Pick<App, "db">,
  requestId: string | null,
  browserHash: string | null,
): Promise<Code | null> {
  if (requestId === null && browserHash === null) return null;
  const [row] = requestId ? await findCodeAnywhere(app.db, requestId) : await findNewestCode(app.db, browserHash ?? "");
  return row ? readCode(row) : null;
}

/** The request itself, for the acts of the page (another code, another address); null unless `mayBeElsewhere` or ours. */
export async function findOwnRequest(
  app: Pick<App, "db">,
  requestId: string | null,
  browserToken: string | null,
  mayBeElsewhere = false,
): Promise<Code | null> {
  const browserHash = browserToken ? await hashToken(browserToken) : null;
  const request = await findRequest(app, requestId, browserHash);
  return request && (mayBeElsewhere || request.browserHash === browserHash) ? request : null;
}
