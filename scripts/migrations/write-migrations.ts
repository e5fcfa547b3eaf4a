/**
 * `npm run db:generate`: writes to drizzle/ what the schema in app/db/schema.ts says. Until version 0.2.0 it writes one migration again;
 * from then on it adds one for each change: `npm run db:generate -- what_changed`.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { isReleased } from "./is-released.ts";
import { firstMigration, nextMigration } from "./migrations.ts";

const written = readdirSync("drizzle").filter((file) => file.endsWith(".sql"));
const [name = ""] = process.argv.slice(2);

if (!isReleased()) {
  const { file, text } = firstMigration();
  for (const old of written) rmSync(`drizzle/${old}`);
  writeFileSync(`drizzle/${file}`, text);
  console.log(`Wrote drizzle/${file}.`);
} else {
  const text = nextMigration();
  if (text === null) console.log("The migrations are what the schema says.");
  else if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    console.error("Say what has changed, in lower case: npm run db:generate -- seats_of_teams");
    process.exitCode = 1;
  } else {
    const file = `${String(written.length).padStart(4, "0")}_${name}.sql`;
    writeFileSync(`drizzle/${file}`, text);
    console.log(
      `Wrote drizzle/${file}. Read it: a column or a table that the schema lacks is dropped with what it holds.\n\n${text}`,
    );
  }
}
