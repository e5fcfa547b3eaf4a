import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isReleased } from "../../../scripts/migrations/is-released.ts";
import { firstMigration, nextMigration } from "../../../scripts/migrations/migrations.ts";
import { schemaFile } from "./layers.ts";

test("the committed migrations are what `npm run db:generate` writes for the schema", () => {
  expect(nextMigration()).toBeNull();
  if (isReleased()) return;
  const { file, text } = firstMigration();
  expect(readdirSync("drizzle")).toEqual([file]);
  expect(readFileSync(`drizzle/${file}`, "utf8")).toBe(text);
});

test("migrations are written again until 0.2.0, and added from then on", () => {
  const versions = ["0.1.0", "0.1.12", "0.2.0", "0.10.3", "1.0.0"];
  expect(versions.map(isReleased)).toEqual([false, false, true, true, true]);
});

test("every table and trigger is part of the schema that the migrations are written from", () => {
  const files = globSync("app/{db,modules}/**/*.ts").filter((path) => schemaFile.test(path));
  expect(files.length).toBeGreaterThan(10);
  const exported = readFileSync("app/db/schema.ts", "utf8");
  expect(files.filter((path) => !exported.includes(`"#${path}"`))).toEqual([]);
});
