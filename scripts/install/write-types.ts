/** Writes the generated types, which the linter and the compiler read: those of the Worker's bindings and variables, of each route, and of the Stripe emulator. */
import { run } from "../run.ts";
import { buildEmulator } from "../stripe/emulator.ts";

buildEmulator();
await Promise.all([
  run("wrangler", ["types", "--strict-vars=false", "--env-file", "scripts/site/local.dev.vars"]),
  run("react-router", ["typegen"]),
]);
