import { documentTriggers } from "#app/modules/billing/documents/triggers.schema.ts";

/** Changes issued documents, which the site never does: for what a test can't get Stripe to charge. */
export async function rewriteDocuments(database: D1Database, statement: D1PreparedStatement): Promise<void> {
  await database.batch(withoutTriggers(database, statement));
}

/** A statement that the triggers of issued documents would refuse, for a batch. */
export function withoutTriggers(database: D1Database, statement: D1PreparedStatement): D1PreparedStatement[] {
  const names = documentTriggers.map((trigger) => /"(\w+)"/.exec(trigger)?.[1] ?? "");
  return [
    ...names.map((name) => database.prepare(`drop trigger "${name}"`)),
    statement,
    ...documentTriggers.map((trigger) => database.prepare(trigger)),
  ];
}
