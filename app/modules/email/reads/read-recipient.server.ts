import type { App } from "#app/app.ts";
import { unseal } from "#app/core/digest.ts";
import type { SealedMail } from "../failed-mails.rules.ts";

/** Null: it is wiped, or was sealed under another pepper. */
export async function readRecipient({ pepper }: Pick<App, "pepper">, sealed: string | null): Promise<string | null> {
  if (sealed === null) return null;
  try {
    // `sealMail` alone seals what the table holds.
    const { to } = JSON.parse(await unseal(pepper, sealed)) as SealedMail;
    return to;
  } catch {
    return null;
  }
}
