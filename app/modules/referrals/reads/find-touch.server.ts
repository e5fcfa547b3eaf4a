import type { Base, Outbox, RequestScope, Site } from "#app/app.ts";
import { readTouch } from "../commands/note-visit.server.ts";
import type { Touch } from "../rules.ts";

/**
 * The referral link that a browser has stored, for joining the waitlist: the emailed link contains it, and confirming stores it with the
 * entry. Null with referrals off, or while the store is down.
 */
export async function findTouch(app: Base & Site & Outbox & RequestScope, request: Request): Promise<Touch | null> {
  if (app.product.referral.state === "off") return null;
  return readTouch(app, request).catch((error: unknown) => {
    app.report(error);
    return null;
  });
}
