/** `npm run dev`: the same site with hot reload, on the same port. */
import { runSite } from "./site.mjs";
import { readSiteOptions } from "./site-options.mjs";

const options = readSiteOptions();
await runSite(options, {
  command: "react-router",
  args: ["dev", "--port", String(options.port), "--strictPort"],
  env: { FOYER_VARS: JSON.stringify(options.vars), FOYER_PERSIST_TO: options.persistTo },
});
