import { createHash } from "node:crypto";
import { changesBetween } from "./changes.ts";
import { schemaStatements } from "./schema-statements.ts";
import { migrationStatements } from "../site/apply-migrations.ts";

const separator = ";--> statement-breakpoint\n";
const textOf = (statements: string[]): string => `${statements.join(separator)};\n`;

/** The whole database. The hash in its name tells a database that was made by an earlier text of it. */
export function firstMigration(): { file: string; text: string } {
  const text = textOf(schemaStatements());
  return { file: `0000_schema_${createHash("sha256").update(text).digest("hex").slice(0, 8)}.sql`, text };
}

/** What the migrations in the folder still lack, or null if that is nothing. */
export function nextMigration(): string | null {
  const changes = changesBetween(migrationStatements(), schemaStatements());
  return changes.length > 0 ? textOf(changes) : null;
}
