import { builtSite } from "./built-site.ts";
import { runWorker } from "./run-worker.ts";
import { localVars } from "./site.ts";

/**
 * The built Worker over https, with a self-signed certificate: for features that browsers enable only on secure
 * origins. There is no database, so every page is the error page about that, with the usual headers.
 */
export async function startSecureSite(own: Record<string, string>) {
  const { port, close } = await runWorker({
    build: builtSite("build"),
    // An http address makes it a local run.
    variables: () => ({ ...localVars, PUBLIC_ORIGIN: "http://127.0.0.1", ...own }),
    https: true,
  });
  return { origin: `https://127.0.0.1:${port}`, close };
}
