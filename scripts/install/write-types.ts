/** Writes the types that are generated: of the Worker's bindings and variables, and of each route. The linter and the compiler read them. */
import { run } from "../run.ts";

await Promise.all([
  run("wrangler", ["types", "--strict-vars=false", "--env-file", "scripts/site/local.dev.vars"]),
  run("react-router", ["typegen"]),
]);
