import { batchNamed } from "#app/db/batch.server.ts";
import type { Base, Site } from "#app/app.ts";
import { hashToken } from "#app/core/hash.ts";
import { done, refused, type Result } from "#app/core/result.ts";
import { gateWord } from "#app/modules/catalogue/gate.rules.ts";
import { changeToAwake } from "../invitations.queries.server.ts";
import { changeToBegun } from "../joining.queries.server.ts";
import { checkGate, type JoinRefusal } from "../rules.ts";
import { changeOwnToReachable, findEntry } from "../queries.server.ts";

type AskRefusal = { reason: "link-unknown" } | { reason: "place-is-over" } | JoinRefusal;

/**
 * The button "I still want to join": a resting entry returns to the queue and is invited in order, and one whose emails came back gets
 * them again. The owner of a plan that has ended starts again at the end of a queue that is open.
 */
export async function requeueEntry(app: Base & Site, token: string): Promise<Result<null, AskRefusal>> {
  const entryHash = await hashToken(token);
  const gate = gateWord(app.gate);
  const open = checkGate(gate, app.product.waitlist, "account");
  const {
    entry: [row],
  } = await batchNamed(app.db, {
    awake: changeToAwake(app.db, entryHash),
    reachable: changeOwnToReachable(app.db, entryHash),
    begun: changeToBegun(app.db, entryHash, open.ok ? open.value : "", app.clock()),
    entry: findEntry(app.db, entryHash),
  });
  if (!row) return refused({ reason: "link-unknown" });
  if (row.state === "waiting" || row.state === "invited") return done(null);
  return row.state === "joined" && row.gate === gate && !open.ok ? open : refused({ reason: "place-is-over" });
}
