import type { App } from "#app/app.ts";
import { formerAddressHash, openFormerAddress } from "../former-addresses.rules.ts";
import { changeAddressHash, listUnhashed } from "../former-addresses.queries.server.ts";

/** Former addresses that get their hash in one run of the cron job. */
const addressesMax = 50;

/** Notes under which hash a former address is found, of those that were kept without one. Safe to run twice. */
export async function hashFormerAddresses({ db, pepper }: Pick<App, "db" | "pepper">): Promise<void> {
  const rows = await listUnhashed(db, addressesMax);
  for (const row of rows) {
    const opened = await openFormerAddress(pepper, row);
    await changeAddressHash(db, row.id, opened ? await formerAddressHash(pepper, opened.address) : "");
  }
}
