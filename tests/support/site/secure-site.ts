import { unstable_startWorker as startWorker } from "wrangler";
import { copyBuild, localVars } from "./site.ts";

/**
 * The built Worker over https, with a self-signed certificate: for what browsers do only on secure origins. Without a
 * database, so that every page is the one that says so, with the headers of any other.
 */
export async function startSecureSite(own: Record<string, string>) {
  const { configPath, remove } = copyBuild("build");
  // An http address makes it a local run; wrangler chooses the actual port.
  const vars = { ...localVars, PUBLIC_ORIGIN: "http://127.0.0.1", ...own };
  const worker = await startWorker({
    config: configPath,
    bindings: Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, { type: "plain_text" as const, value }]),
    ),
    dev: {
      server: { hostname: "127.0.0.1", port: 0, secure: true },
      origin: { secure: true },
      inspector: false,
      watch: false,
      persist: false,
      logLevel: "error",
    },
  });
  const { origin } = await worker.url;
  const close = async () => {
    await worker.dispose();
    remove();
  };
  return { origin, close };
}
