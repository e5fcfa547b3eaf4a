/** After every install: local values, generated types and a build, so that `npx wrangler dev` serves at once. */
import { ensureDevVars } from "./dev-vars.mjs";
import { run } from "./run.mjs";

ensureDevVars();
await run("wrangler", ["types", "--strict-vars=false", "--env-file", ".dev.vars.example"]);
await run("react-router", ["typegen"]);
await run("node", ["scripts/build.mjs", "--if-stale"]);
