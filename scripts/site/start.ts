/** `npm start`: builds, migrates, seeds the Stripe emulator and serves the production build. See docs/guides/deploy.md. */
import { run } from "../run.ts";
import { isBuildStale } from "./build-age.ts";
import { runSite } from "./run-site.ts";
import { readSiteOptions } from "./site-options.ts";

const options = readSiteOptions();
await runSite(options, {
  prepare: async () => {
    if (isBuildStale()) await run("node", ["scripts/site/build.ts"], { quiet: false });
  },
  command: "wrangler",
  args: [
    "dev",
    "--port",
    String(options.port),
    "--inspector-port",
    "0",
    "--infer-origin-from-routes=false",
    "--persist-to",
    options.persistTo,
    ...Object.entries(options.vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ],
});
