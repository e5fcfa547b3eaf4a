import type { App, Base, Outbox, RequestScope, Site } from "#app/app.ts";
import { readLinkCode } from "#app/core/link-code.ts";
import { type Touch, touchIsValid } from "../rules.ts";

/**
 * The referral link that a browser has stored, for an address that asks to be let in: it is stored with that once the address is proven. Null with referrals off, or while the store is down.
 */
export async function findTouch(app: Base & Site & Outbox & RequestScope, request: Request): Promise<Touch | null> {
  if (app.product.referral.state === "off") return null;
  return readTouch(app, request).catch((error: unknown) => {
    app.report(error);
    return null;
  });
}

/** The browser's stored visit, while it is valid and its code could be ours. */
export async function readTouch(
  app: Pick<App, "clock" | "visits" | "product">,
  request: Request,
): Promise<Touch | null> {
  const { referral } = await app.visits.read(request);
  const lives = touchIsValid(referral, app.clock(), app.product.referral.attributionDays);
  return lives && readLinkCode(referral.code) !== null ? referral : null;
}
