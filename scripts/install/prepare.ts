/**
 * Runs after every install and sets up the pre-commit hook, local values, generated types, a build and a migrated local database, so that
 * `npx wrangler dev` works immediately.
 */
import { installHooks } from "./install-hooks.ts";
import { ensureDevVars } from "../site/dev-vars.ts";
import { OldDatabase } from "../site/apply-migrations.ts";
import { migrateLocal } from "../site/migrate-local.ts";
import { localState } from "../site/site-options.ts";
import { run } from "../run.ts";

installHooks();
ensureDevVars();
await run("node", ["scripts/install/write-types.ts"]);
await run("node", ["scripts/site/build.ts", "--if-stale"]);
// An old database doesn't keep anyone from installing: `npm start` says it again.
await migrateLocal(localState).catch((error: unknown) => {
  if (!(error instanceof OldDatabase)) throw error;
  console.error(error.message);
});
