import { env } from "cloudflare:workers";
import { applyD1Migrations, reset } from "cloudflare:test";
import { afterAll, beforeAll } from "vitest";
import { dropAll } from "./drop-all.ts";
import { expectIndexes } from "./executed-statements.ts";

/**
 * The files of a worker run one after the other in one runtime: each begins with an empty database, migrated as a
 * deployment would.
 */
beforeAll(async () => {
  // Durable Objects only; the database stays.
  await reset();
  await dropAll();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});

/** Every statement that the commands of a file executed uses an index. */
afterAll(expectIndexes);
