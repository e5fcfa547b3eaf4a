import type { App } from "#app/app.ts";
import { formerAddressHash, openFormerAddress } from "../former-addresses.rules.ts";
import { changeAddressHash } from "../former-addresses.queries.server.ts";
import { listUnhashed } from "../everyone.queries.server.ts";

/** Former addresses hashed per run of the cron job. */
const addressesMax = 50;

/** Adds the search hash to former addresses that were stored without one. Idempotent. */
export async function hashFormerAddresses({ db, pepper }: Pick<App, "db" | "pepper">): Promise<void> {
  const rows = await listUnhashed(db, addressesMax);
  for (const row of rows) {
    const opened = await openFormerAddress(pepper, row);
    await changeAddressHash(db, row.id, opened ? await formerAddressHash(pepper, opened.address) : "");
  }
}
