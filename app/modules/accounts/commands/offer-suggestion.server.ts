import type { Base, Secrets } from "#app/app.ts";
import { batchNamed } from "#app/db/batch.server.ts";
import { newId } from "#app/core/id.ts";
import type { EmailAddress } from "#app/core/text/email-address.ts";
import { suggestionQuota } from "#app/modules/codes/email-quotas.rules.ts";
import { addUse, isFree } from "#app/modules/codes/quota-uses.queries.server.ts";
import { codeQuotas } from "#app/modules/codes/rules.ts";
import { suggestAddress } from "#app/core/text/suggest-domain.ts";

/**
 * A suggested correction, once an hour for each address: submitting the same address again accepts it, without a cookie or field that says
 * so. Null: continue with what was typed.
 */
export async function offerSuggestion(app: Base & Secrets, address: EmailAddress): Promise<string | null> {
  const suggestion = suggestAddress(address);
  if (suggestion === null) return null;
  const now = app.clock();
  const quota = suggestionQuota((await codeQuotas(app.pepper, address.canonical, "")).stranger);
  const use = { id: newId("use", app.random), quota: quota.name, now };
  const { offered } = await batchNamed(app.db, { offered: addUse(app.db, use, isFree(quota, now)) });
  return offered.meta.changes === 1 ? suggestion : null;
}
