import type { App } from "#app/context.ts";
import { gateWord } from "#app/domain/product/rules.ts";
import { addTouch } from "./claims.store.server.ts";
import { readTouch } from "./note-visit.server.ts";

/**
 * Somebody joins the waitlist whose browser remembers a friend's link: the entry remembers it from now on, for as long as they wait. Only
 * while the address isn't proven, so that nobody ties a link of theirs to a place that somebody else has.
 */
export async function keepTouch(
  app: Pick<App, "db" | "clock" | "visits" | "product" | "gate">,
  request: Request,
  address: string,
): Promise<void> {
  const gate = gateWord(app.gate);
  const touch = await readTouch(app, request);
  if (gate === null || touch === null || app.product.referral.state === "off") return;
  await addTouch(app.db, { gate, address, code: touch.code, touchedAt: touch.at });
}
