import { env } from "cloudflare:workers";
import { documentTriggers } from "#app/modules/documents/triggers.schema.ts";

/** Deletes all rows, of one table after the other. With the orders go their documents, which the site itself never deletes. */
export async function emptyTables(...tables: string[]): Promise<void> {
  const wanted = tables.filter((table) => table !== "documents");
  const deletions = wanted.flatMap((table) => [...(table === "orders" ? emptyDocuments : []), `delete from ${table}`]);
  await env.DB.batch(deletions.map((statement) => env.DB.prepare(statement)));
}

const names = documentTriggers.map((trigger) => /"(\w+)"/.exec(trigger)?.[1] ?? "");

/** The triggers refuse it otherwise. */
export const emptyDocuments: readonly string[] = [
  ...names.map((name) => `drop trigger "${name}"`),
  "delete from documents",
  ...documentTriggers,
];
