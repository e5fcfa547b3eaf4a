import { env } from "cloudflare:workers";
import { openDatabase } from "#app/db/client.server.ts";
import type { TestApp } from "./worker-app.ts";

type Noted = { query: string; values: unknown[] };

/** The App on a database that notes every statement it is asked for, with its values. */
export function watched(app: TestApp) {
  const statements: Noted[] = [];
  const binding = {
    prepare(query: string) {
      const noted: Noted = { query, values: [] };
      statements.push(noted);
      return new Proxy(env.DB.prepare(query), {
        get(target, name) {
          if (name === "bind") {
            return (...values: unknown[]) => {
              noted.values = values;
              return target.bind(...values);
            };
          }
          const member: unknown = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
    },
    batch: (batch: D1PreparedStatement[]) => env.DB.batch(batch),
  };
  // Drizzle calls these two and no others.
  return { statements, using: { ...app, db: openDatabase(binding as unknown as D1Database) } };
}

/** How the database goes about a statement, step by step. */
export async function planOf({ query, values }: Noted): Promise<string[]> {
  const { results } = await env.DB.prepare(`explain query plan ${query}`)
    .bind(...values)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

/** Statements that read a whole table; a list that was handed in is none, nor what the statement itself has found so far. */
export async function wholeReads(statements: Noted[]): Promise<{ query: string; detail: string }[]> {
  const plans = await Promise.all(statements.map(async (noted) => ({ noted, plan: await planOf(noted) })));
  return plans.flatMap(({ noted, plan }) =>
    plan
      .filter((detail) => /^SCAN (?!CONSTANT|json_each|\(subquery)/.test(detail) && !isOwnFinding(detail, noted.query))
      .map((detail) => ({ query: noted.query, detail })),
  );
}

function isOwnFinding(detail: string, query: string): boolean {
  const [, name = ""] = /^SCAN (\w+)$/.exec(detail) ?? [];
  return new RegExp(`\\b${name}\\(\\w+\\) as \\(`).test(query);
}
