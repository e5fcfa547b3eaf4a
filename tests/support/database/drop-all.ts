import { env } from "cloudflare:workers";

/** Nothing is left, not even the list of applied migrations. */
export async function dropAll() {
  const { results } = await env.DB.prepare(
    `select type, name from sqlite_master where type in ('trigger', 'table') and name not like 'sqlite\\_%' escape '\\'
     and name not like '\\_cf\\_%' escape '\\' order by type = 'table'`,
  ).all<{ type: string; name: string }>();
  const drops = results.map(({ type, name }) => env.DB.prepare(`drop ${type} "${name}"`));
  await env.DB.batch([env.DB.prepare("pragma defer_foreign_keys = on"), ...drops]);
}
