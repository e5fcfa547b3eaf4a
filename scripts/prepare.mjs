/**
 * After every install: the pre-commit hook, local values, generated types, a build and a migrated local database, so that
 * `npx wrangler dev` works immediately.
 */
import { installHooks } from "./install-hooks.mjs";
import { ensureDevVars } from "./dev-vars.mjs";
import { run } from "./run.mjs";

installHooks();
ensureDevVars();
await run("wrangler", ["types", "--strict-vars=false", "--env-file", ".dev.vars.example"]);
await run("react-router", ["typegen"]);
await run("node", ["scripts/build.mjs", "--if-stale"]);
await run("wrangler", ["d1", "migrations", "apply", "DB", "--local"]);
