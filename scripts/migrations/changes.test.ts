import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { changesBetween } from "./changes.ts";

const teams = `CREATE TABLE "teams" (\n\t"id" text PRIMARY KEY NOT NULL,\n\t"state" text NOT NULL\n) STRICT`;
const seats = `CREATE TABLE "seats" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	FOREIGN KEY ("team_id") REFERENCES "teams"("id")
) STRICT`;
const index = `CREATE INDEX "teams_by_state" ON "teams" ("state")`;
const trigger = `CREATE TRIGGER "teams_begin" AFTER INSERT ON "teams"\nBEGIN\n\tUPDATE "teams" SET "state" = 'new' WHERE "id" = new."id";\nEND`;
const before = [teams, seats, index, trigger];
const rows = [
  `INSERT INTO teams VALUES ('a', 'x')`,
  `UPDATE teams SET state = 'open'`,
  `INSERT INTO seats VALUES ('s', 'a')`,
];

/** The database with rows, changed as D1 does it: with foreign keys, and in one transaction. */
function changed(changes: string[]): DatabaseSync {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  for (const statement of [...before, ...rows, "BEGIN", ...changes, "COMMIT"]) database.exec(statement);
  return database;
}

const read = (database: DatabaseSync, query: string) =>
  database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));

describe("the changes between two schemas", () => {
  test("are none between the same ones", () => {
    expect(
      changesBetween(
        before,
        before.map((statement) => statement.replaceAll("\n", "\n  ")),
      ),
    ).toEqual([]);
  });

  test("add tables, indexes and columns, and leave rows alone", () => {
    const wider = teams.replace(
      `"state" text NOT NULL`,
      `"state" text NOT NULL,\n\t"name" text,\n\t"size" integer DEFAULT 3 NOT NULL`,
    );
    const added = [
      `CREATE TABLE "rooms" (\n\t"id" text PRIMARY KEY NOT NULL\n) STRICT`,
      `CREATE INDEX "seats_of_team" ON "seats" ("team_id")`,
    ];
    const changes = changesBetween(before, [wider, seats, index, trigger, ...added]);
    expect(changes).toEqual([
      `ALTER TABLE "teams" ADD "name" text`,
      `ALTER TABLE "teams" ADD "size" integer DEFAULT 3 NOT NULL`,
      ...added,
    ]);
    expect(read(changed(changes), "select * from teams")).toEqual([{ id: "a", state: "open", name: null, size: 3 }]);
  });

  test("replace indexes and triggers whose text changed, and drop what is gone", () => {
    const descending = `CREATE INDEX "teams_by_state" ON "teams" ("state" desc)`;
    expect(changesBetween(before, [teams, descending])).toEqual([
      `DROP INDEX "teams_by_state"`,
      `DROP TRIGGER "teams_begin"`,
      "PRAGMA defer_foreign_keys = on",
      `DROP TABLE "seats"`,
      descending,
    ]);
  });

  test.each([
    [
      "gets a CHECK",
      teams.replace("\n)", `,\n\tCONSTRAINT "teams_state" CHECK("teams"."state" in ('new', 'open'))\n)`),
      { id: "a", state: "open" },
    ],
    ["loses a column", teams.replace(`,\n\t"state" text NOT NULL`, ""), { id: "a" }],
  ])("copy a table that %s, with its rows, their children, its indexes and triggers", (_, table, row) => {
    const hanging = "state" in row ? [index, trigger] : [];
    const database = changed(changesBetween(before, [table, seats, ...hanging]));
    expect(read(database, "select * from teams")).toEqual([row]);
    expect(read(database, "select * from seats")).toEqual([{ id: "s", team_id: "a" }]);
    expect(read(database, "pragma foreign_key_check")).toEqual([]);
    const names = read(
      database,
      "select name from sqlite_master where type in ('index', 'trigger') and sql is not null",
    );
    expect(names).toEqual(hanging.length > 0 ? [{ name: "teams_by_state" }, { name: "teams_begin" }] : []);
  });

  test("are refused where existing rows would have no value", () => {
    const wider = teams.replace("NOT NULL\n)", `NOT NULL,\n\t"size" integer NOT NULL\n)`);
    expect(() => changesBetween(before, [wider, seats, index, trigger])).toThrow("teams.size is never null");
  });
});
