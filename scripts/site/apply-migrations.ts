import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = "drizzle";

/** What `wrangler d1 migrations apply` does, through an open database: each new migration is one batch, and is recorded. */
export async function applyMigrations(d1: Pick<D1Database, "batch" | "prepare" | "exec">): Promise<void> {
  await d1.exec(
    "create table if not exists d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)",
  );
  const { results } = await d1.prepare("select name from d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const unknown = [...applied].find((name) => !existsSync(join(folder, name)));
  if (unknown) throw new OldDatabase(unknown);
  const migrations = readdirSync(folder).filter((file) => file.endsWith(".sql") && !applied.has(file));
  for (const file of migrations.toSorted()) {
    const statements = statementsOf(file);
    const record = d1.prepare("insert into d1_migrations (name) values (?)").bind(file);
    await d1.batch([...statements.map((statement) => d1.prepare(statement)), record]);
  }
}

/** Made by another text of the first migration, which is written again until 0.2.0. */
export class OldDatabase extends Error {
  constructor(migration: string) {
    super(`The database was made by ${migration}, which isn't in ${folder}/.`);
  }
}

/** All statements of all migrations, for a database that isn't D1's. */
export const migrationStatements = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .flatMap(statementsOf);

const statementsOf = (file: string): string[] =>
  readFileSync(join(folder, file), "utf8").split("--> statement-breakpoint");
