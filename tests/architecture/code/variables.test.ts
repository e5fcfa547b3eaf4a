import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourceFiles, withoutComments } from "./imports.ts";

// The Stripe emulator is a Worker with variables of its own.
const ours = sourceFiles().filter((path) => !path.startsWith("packages/stripe-emulator/"));
const local = readFileSync("scripts/site/local.dev.vars", "utf8");
const wrangler = readFileSync("wrangler.toml", "utf8");

test("every variable that the Worker reads is in local.dev.vars or a binding", () => {
  const read = ours.flatMap((file) => {
    const text = withoutComments(file, readFileSync(file, "utf8"));
    // The list of routes is read at build time.
    const isApp = !file.startsWith("workers/monitoring/") && file !== "app/routes.ts";
    const names = isApp ? text.matchAll(/(?<!import\.meta\.)\benv\.([A-Z][A-Z_]+)\b/g) : [];
    return [...names, ...text.matchAll(/\b(SENTRY_[A-Z_]+)\?: string/g)].map(([, name = ""]) => name);
  });
  const names = [...new Set(read)];
  expect(names.length).toBeGreaterThan(10);
  const isKnown = (name: string) =>
    new RegExp(`^(?:# )?${name}=`, "m").test(local) || new RegExp(`^(?:binding|name) = "${name}"`, "m").test(wrangler);
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});
