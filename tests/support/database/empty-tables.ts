import { env } from "cloudflare:workers";

/** Deletes all rows, of one table after the other. */
export async function emptyTables(...tables: string[]): Promise<void> {
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from ${table}`)));
}
