import { readJson } from "#app/db/json-column.ts";
import type { App } from "#app/app.ts";
import { unseal } from "#app/core/seal.ts";
import type { SealedEmail } from "../failed-emails.rules.ts";

/** Null if it was wiped, or encrypted with another pepper. */
export async function readRecipient({ pepper }: Pick<App, "pepper">, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  try {
    // Only `encryptEmail` writes this column, so its content has this type.
    const { to } = readJson<SealedEmail>("object", await unseal(pepper, sealed));
    return to;
  } catch {
    return null;
  }
}
