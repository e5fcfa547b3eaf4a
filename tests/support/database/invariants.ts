import { emailTexts } from "#app/emails.ts";
import { featureSamples } from "#tests/support/features.ts";
import { atAnyMoment, atAnyMomentSince, unknownValues } from "#tests/support/database/row-invariants.ts";
import type { Query } from "#tests/support/feature-samples.ts";
import type { Site } from "#tests/support/site/site.ts";

/** Every invariant of the rows that is violated now, with up to three rows each. Empty: all is well. */
export async function brokenInvariants(books: Query): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [promise, query] of Object.entries({ ...atAnyMoment, ...atAnyMomentSince(0), ...unknownValues })) {
    const rows = await books(query);
    if (rows.length > 0) broken[promise] = rows.slice(0, 3);
  }
  for (const { brokenIn } of featureSamples) Object.assign(broken, await brokenIn?.(books));
  const templates = await books("select distinct template from emails");
  const strange = templates.filter(({ template }) => !(String(template) in emailTexts.en));
  if (strange.length > 0) broken["emails are of known templates"] = strange;
  return { ...broken, ...(await damage(books)) };
}

/** What the database says of itself. */
async function damage(books: Query): Promise<Record<string, unknown[]>> {
  const orphans = await books("pragma foreign_key_check");
  const quick = await books("pragma quick_check");
  const isSound = quick.length === 1 && Object.values(quick[0] ?? {})[0] === "ok";
  return { ...(orphans.length > 0 && { orphans }), ...(!isSound && { damage: quick }) };
}

/** The database of a running site. */
export function queryOf(site: Site): Query {
  return async (query) => (await (await site.database()).prepare(query).all<Record<string, unknown>>()).results;
}
