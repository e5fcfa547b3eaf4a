import { env } from "cloudflare:workers";
import { applyD1Migrations, reset } from "cloudflare:test";
import { afterAll, beforeAll } from "vitest";
import { expectIndexes } from "./executed-statements.ts";

/**
 * The files of a worker run one after the other in one runtime: each begins with an empty database, migrated as a
 * deployment would.
 */
beforeAll(async () => {
  // Durable Objects only; the database stays.
  await reset();
  await dropAll();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

/** Nothing is left, not even the list of applied migrations. */
export async function dropAll() {
  const { results } = await env.DB.prepare(
    `select type, name from sqlite_master where type in ('trigger', 'table') and name not like 'sqlite\\_%' escape '\\'
     and name not like '\\_cf\\_%' escape '\\' order by type = 'table'`,
  ).all<{ type: string; name: string }>();
  const drops = results.map(({ type, name }) => env.DB.prepare(`drop ${type} "${name}"`));
  await env.DB.batch([env.DB.prepare("pragma defer_foreign_keys = on"), ...drops]);
}

/** Every statement that the commands of a file executed uses an index. */
afterAll(expectIndexes);
