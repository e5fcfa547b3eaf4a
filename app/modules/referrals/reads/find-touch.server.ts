import type { Base, Outbox, RequestScope, Site } from "#app/app.ts";
import { readTouch } from "../commands/note-visit.server.ts";
import type { Touch } from "../rules.ts";

/**
 * The friend's link that a browser remembers, for whoever joins the waitlist with it: it goes along in the mailed link, so that the entry
 * remembers it once the owner of the address has confirmed. Null with referrals off, or while the memory is down.
 */
export async function findTouch(app: Base & Site & Outbox & RequestScope, request: Request): Promise<Touch | null> {
  if (app.product.referral.state === "off") return null;
  return readTouch(app, request).catch((error: unknown) => {
    app.report(error);
    return null;
  });
}
