import { env } from "cloudflare:workers";
import { openDatabase } from "#app/db/database.server.ts";
import type { App } from "#app/app.ts";
import type { DatabaseBinding } from "#app/db/wrap-database.server.ts";

export type Noted = { query: string; values: unknown[] };

/** The App on a database that records every statement it executes, with its values. */
export function watched<Watched extends App>(app: Watched) {
  const statements: Noted[] = [];
  return { statements, using: { ...app, db: openDatabase(noting(env.DB, (noted) => statements.push(noted))) } };
}

/** A D1 binding, or a session of one, that reports every statement when it is prepared; its values follow when it is bound. */
export function noting<Binding extends DatabaseBinding>(database: Binding, note: (noted: Noted) => void): Binding {
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (query: string) => noted(target.prepare(query), query, note);
      if (name === "withSession" && isDatabase(target))
        return (constraint: string) => noting(target.withSession(constraint), note);
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const isDatabase = (binding: DatabaseBinding): binding is D1Database => "withSession" in binding;

function noted(statement: D1PreparedStatement, query: string, note: (noted: Noted) => void): D1PreparedStatement {
  const found: Noted = { query, values: [] };
  note(found);
  return new Proxy(statement, {
    get(target, name) {
      if (name === "bind") {
        return (...values: unknown[]) => {
          found.values = values;
          return target.bind(...values);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/** The database's query plan of a statement, step by step. */
export async function planOf(noted: Noted): Promise<string[]> {
  const [plan = []] = await plansOf([noted]);
  return plan;
}

async function plansOf(statements: readonly Noted[]): Promise<string[][]> {
  if (statements.length === 0) return [];
  const answers = await env.DB.batch<{ detail: string }>(
    statements.map(({ query, values }) => env.DB.prepare(`explain query plan ${query}`).bind(...values)),
  );
  return answers.map(({ results }) => results.map(({ detail }) => detail));
}

export type WholeRead = { query: string; detail: string };

/**
 * Statements that read a whole table, or a whole index of one, under its own name or an alias. A list that was passed
 * in doesn't count, nor does what the statement itself has found so far.
 */
export async function wholeReads(statements: readonly Noted[]): Promise<WholeRead[]> {
  const { results } = await env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
    name: string;
  }>();
  const tables = new Set(results.map(({ name }) => name));
  const plans = await plansOf(statements);
  return statements.flatMap(({ query }, index) =>
    (plans[index] ?? []).filter((detail) => readsWhole(tables, query, detail)).map((detail) => ({ query, detail })),
  );
}

function readsWhole(tables: ReadonlySet<string>, query: string, detail: string): boolean {
  const [, name = ""] = /^SCAN (\w+)(?!.* VIRTUAL TABLE)/.exec(detail) ?? [];
  const [, named = name] =
    new RegExp(`\\b(?:from|join|update) "?(\\w+)"? (?:as )?"?${name}"?(?: |$)`, "i").exec(query) ?? [];
  return tables.has(name) || tables.has(named);
}
