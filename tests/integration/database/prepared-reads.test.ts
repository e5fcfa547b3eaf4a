import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { batchNamed } from "#app/db/batch.server.ts";
import { type Database, openDatabase } from "#app/db/database.server.ts";
import { jobCursors } from "#app/db/job-cursors.schema.ts";
import { prepared } from "#app/db/prepared.server.ts";

const db = openDatabase(env.DB);

let built = 0;
const findCursor = prepared((on: Database, name: string) => {
  built += 1;
  return on.select().from(jobCursors).where(eq(jobCursors.name, name));
});

beforeAll(async () => {
  const rows = ["a", "b"].map((name) => ({ name, cursor: `cursor of ${name}` }));
  await db.insert(jobCursors).values(rows).onConflictDoNothing();
});

describe("a prepared read", () => {
  test("is built once, and every call has its own values, also concurrently and in a batch", async () => {
    const cursorOf = (name: string) => [{ name, cursor: `cursor of ${name}` }];
    expect(await Promise.all(["a", "b", "none"].map((name) => findCursor(db, name)))).toEqual([
      cursorOf("a"),
      cursorOf("b"),
      [],
    ]);
    expect(await batchNamed(db, { second: findCursor(db, "b"), first: findCursor(db, "a") })).toEqual({
      second: cursorOf("b"),
      first: cursorOf("a"),
    });
    expect(built).toBe(1);
  });

  test("runs on the database that it is called with", async () => {
    const statements: string[] = [];
    const watched = new Proxy(env.DB, {
      get(target, name) {
        if (name !== "prepare") return Reflect.get(target, name) as unknown;
        return (text: string) => {
          statements.push(text);
          return target.prepare(text);
        };
      },
    });
    await findCursor(openDatabase(watched), "a");
    expect(statements).toEqual([findCursor(db, "a").toSQL().sql]);
  });

  test("refuses to be built with a value that is computed, which would be NaN in every later call", () => {
    const since = prepared((on: Database, now: number) =>
      on
        .select()
        .from(jobCursors)
        .where(sql`${jobCursors.cursor} > ${now - 1}`),
    );
    expect(() => since(db, 2)).toThrow("can't compute with its values");
  });
});
