import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Outbox, RequestScope, Secrets, Site } from "#app/app.ts";
import { consumeQuotas } from "#app/modules/accounts/codes/quota-uses.queries.server.ts";
import { keyedHash } from "#app/core/hash.ts";
import { newId, type AccountId } from "#app/core/id.ts";
import { readLinkCode } from "#app/core/link-code.ts";
import type { MoneyAmount } from "#app/core/money/money.ts";
import { networkOf } from "#app/core/network.ts";
import { isInAdvance, isMachine } from "../machines.rules.ts";
import { chooseTouch, type Touch, visitsPerNetworkMax, visitWindowMs } from "../rules.ts";
import { readTouch } from "../reads/find-touch.server.ts";
import { addVisit, listUsableCodes } from "../queries.server.ts";

type Deps = Base & Site & Secrets & Outbox & RequestScope;

type RecordedVisit = {
  /** The friend's discount on the first payment. Null if no referral link counts. */
  offer: MoneyAmount | null;
  /** The code that counts: the first valid one, which may not be the one in the URL. */
  code: string | null;
  /** The code of a new visit that wasn't stored, or whose cookie the browser may discard: the page's links carry it on. */
  carried: string | null;
  /** The Set-Cookie value that identifies the browser of a stored visit. */
  cookie: string | null;
};

const nothing: RecordedVisit = { offer: null, code: null, carried: null, cookie: null };

/**
 * A browser opens the landing page or the sign-up, possibly by a referral link. Unknown, malformed, own and expired codes are ignored
 * without a message; so is every code for a signed-in user, who isn't a new customer. Writes are limited per network.
 *
 * A machine sees the same page, and nothing is stored. A visit is counted when its browser goes on: it comes back with its cookie, or opens
 * the sign-up. Scanners of emails and messages run whole browsers, which can't be told from a person's by the page that they open. A page
 * that is loaded in advance may be shown later, so its visit is stored; it isn't counted, since it may never be shown.
 */
export async function recordVisit(
  app: Deps,
  request: Request,
  code: string | null,
  viewerId: AccountId | null = null,
  page: "landing" | "signup" = "landing",
): Promise<RecordedVisit> {
  if (viewerId !== null || app.product.referral.state === "off") return nothing;
  const now = app.clock();
  const { attributionDays, friendDiscountMinor } = app.product.referral;
  const referralCode = readLinkCode(code);
  const remembered = await readTouch(app, request);
  const codes = [referralCode, remembered?.code].filter((candidate) => typeof candidate === "string");
  if (codes.length === 0) return nothing;
  const usable = new Set((await listUsableCodes(app.db, codes)).map((link) => link.code));
  const chosen = chooseTouch(remembered, referralCode, (candidate) => usable.has(candidate), now, attributionDays);
  if (!chosen) return nothing;
  const { touch, isNew } = chosen;
  const inAdvance = isInAdvance(request.headers);
  const isCounted = !inAdvance && (!isNew || page === "signup");
  const isDone = touch.isCounted === true || isMachine(request) || (inAdvance && !isNew);
  const cookie = isDone ? null : await rememberTouch(app, request, { ...touch, isCounted });
  return {
    offer: { amountMinor: friendDiscountMinor, currency: app.product.currency },
    code: touch.code,
    carried: isNew && (cookie === null || inAdvance) ? touch.code : null,
    cookie,
  };
}

/**
 * Stores the visit, twice per browser and term, up to an hourly limit per network. If the store is down or the limit is reached, the offer
 * is shown anyway.
 */
async function rememberTouch(app: Deps, request: Request, touch: Touch): Promise<string | null> {
  const { db, clock, random, pepper } = app;
  const ip = request.headers.get("CF-Connecting-IP") ?? "unknown";
  const name = await keyedHash(pepper, "remembered visits", networkOf(ip));
  const quota = { name, max: visitsPerNetworkMax, windowMs: visitWindowMs };
  const {
    taken: [taken],
  } = await batchNamed(db, { taken: consumeQuotas(db, { id: newId("use", random), now: clock(), quotas: [quota] }) });
  if (taken.meta.changes === 0) return null;
  const cookie = await app.visits.remember(request, { referral: touch }).catch(() => null);
  if (cookie !== null && touch.isCounted === true) app.later(Promise.resolve(addVisit(app.db, touch.code)));
  return cookie;
}
