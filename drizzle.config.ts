import { defineConfig } from "drizzle-kit";

/** `drizzle-kit generate` writes a migration: read it before it lands, and add STRICT to every new table by hand. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./app/db/schema.ts",
  out: "./drizzle",
  casing: "snake_case",
});
