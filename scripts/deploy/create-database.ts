import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { run } from "../run.ts";
import type { configFor } from "./target.ts";

/** The first deployment creates the database. Where its data is stored can only be chosen then. */
export async function createDatabase(
  { d1_databases: [database] }: Pick<ReturnType<typeof configFor>, "d1_databases">,
  { jurisdiction }: ProductConfig,
): Promise<void> {
  const where = jurisdiction === undefined ? [] : ["--jurisdiction", jurisdiction];
  await run("wrangler", ["d1", "create", String(database?.database_name), ...where], { quiet: false });
}
