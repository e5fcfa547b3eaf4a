import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { applyMigrations } from "../scripts/site/apply-migrations.ts";
import { modulesIn } from "#tests/support/site/built-site.ts";

type WorkerOptions = Extract<Parameters<typeof convertV4MiniflareOptions>[0], { workers: unknown }>["workers"][number];

/**
 * A built Worker with its bindings, on its own socket: wrangler's proxy isn't involved, and only the runtime is between the
 * browser and the Worker. There are no static files.
 */
export async function startDirectWorker(folder: string, variables: Record<string, string> = {}, entry = "index.js") {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(folder, "wrangler.json"));
  const modules = modulesIn(folder, entry);
  const name = "measured";
  const unsafeDirectSockets = [{ host: "127.0.0.1", port: 0 }];
  const given = { name, modules, modulesRoot: folder, bindings: variables, assets: undefined, unsafeDirectSockets };
  // The types of wrangler's options have no modules, and Miniflare's have no variant without them.
  const options = { ...workerOptions, ...given } as WorkerOptions;
  const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [options] }));
  const { origin } = await runtime.unsafeGetDirectURL(name);
  return { origin, database: () => runtime.getD1Database("DB", name), stop: () => runtime.dispose() };
}

/**
 * The built site as deployed, with a migrated database. It has an https address and secrets of its own, so that nothing is measured that
 * only local runs do.
 */
export async function startDirectSite(
  secrets: { CODE_PEPPER: string; SENTRY_DSN: string },
  { folder, entry }: { folder: string; entry?: string } = { folder: "build/server" },
) {
  const key = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const variables = {
    PUBLIC_ORIGIN: "https://site.example",
    MAIL_FROM: "hello@site.example",
    LAUNCH_GATE: "none",
    SENTRY_ENVIRONMENT: "production",
    SENTRY_TRACES_SAMPLE_RATE: "0.1",
    VISIT_SECRET: "visits-of-the-bench-have-32-letters",
    STRIPE_SECRET_KEY: "sk_live",
    STRIPE_WEBHOOK_SECRET: "whsec_of-the-bench-has-at-least-32-letters",
    ENTITLEMENT_SIGNING_KEY: JSON.stringify(await crypto.subtle.exportKey("jwk", key.privateKey)),
    ...secrets,
  };
  const site = await startDirectWorker(folder, variables, entry);
  const d1 = await site.database();
  await applyMigrations(d1);
  return { ...site, d1 };
}
