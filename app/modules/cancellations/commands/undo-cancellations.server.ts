import type { App } from "#app/app.ts";
import type { AccountId } from "#app/core/id.ts";
import { changeToUndone } from "../queries.server.ts";

/** For an owner who keeps the plan: nothing follows from what was declared before, also if Stripe is still to be asked. */
export async function undoCancellations({ db, clock }: Pick<App, "db" | "clock">, accountId: AccountId): Promise<void> {
  await changeToUndone(db, accountId, clock());
}
