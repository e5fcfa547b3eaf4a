/** Writes the generated types, which the linter and the compiler read: those of the Worker's bindings and variables, and of each route. */
import { run } from "../run.ts";

await Promise.all([
  run("wrangler", ["types", "--strict-vars=false", "--env-file", "scripts/site/local.dev.vars"]),
  run("react-router", ["typegen"]),
]);
