import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What `wrangler d1 migrations apply` does, through an open database: each migration is one batch, and is recorded. */
export async function applyMigrations(d1: Pick<D1Database, "batch" | "prepare" | "exec">): Promise<void> {
  await d1.exec(
    "create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp default current_timestamp not null)",
  );
  const migrations = readdirSync("drizzle").filter((file) => file.endsWith(".sql"));
  for (const file of migrations.toSorted()) {
    const statements = readFileSync(join("drizzle", file), "utf8").split("--> statement-breakpoint");
    const applied = d1.prepare("insert into d1_migrations (name) values (?)").bind(file);
    await d1.batch([...statements.map((statement) => d1.prepare(statement)), applied]);
  }
}
