import { env } from "cloudflare:workers";
import { applyD1Migrations } from "cloudflare:test";
import { beforeAll } from "vitest";

/** Each test file starts on a database of its own, migrated as a deployment would. */
beforeAll(() => applyD1Migrations(env.DB, env.TEST_MIGRATIONS));
