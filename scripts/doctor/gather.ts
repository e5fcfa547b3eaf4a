import { readdirSync } from "node:fs";
import { listWeakSecrets } from "#app/configuration.ts";
import type { Settings } from "../stripe/settings.ts";
import type { SiteFacts } from "./facts.ts";
import { gatherDns, type ResolveTxt } from "./gather-dns.ts";
import { type CloudflareAccess, gatherJurisdiction } from "./gather-jurisdiction.ts";
import { gatherSite } from "./gather-site.ts";
import { gatherStripe } from "./gather-stripe.ts";
import { gatherTls } from "./gather-tls.ts";

export type DoctorSettings = {
  origin: string;
  token: string;
  from: string;
  dkimSelector: string;
  stripe: Settings;
  cloudflare: CloudflareAccess;
};

/** Asks the site, DNS, Stripe and Cloudflare, at the same time. A local site has no domain, certificate or account. */
export async function gather(settings: DoctorSettings, resolveTxt: ResolveTxt): Promise<SiteFacts> {
  const { origin, token, stripe, cloudflare } = settings;
  const isLocal = !origin.startsWith("https:");
  const now = Date.now();
  const local = { unasked: "local" };
  const [ofSite, tls, dns, ofStripe, jurisdiction] = await Promise.all([
    gatherSite({ origin, token, stripeEmulatorOrigin: isLocal ? stripe.apiBase : "" }),
    gatherTls(origin),
    isLocal ? local : gatherDns(settings, resolveTxt),
    gatherStripe(stripe, now),
    isLocal ? local : gatherJurisdiction(cloudflare),
  ]);
  return {
    origin,
    isLocal,
    now,
    ...ofSite,
    tls,
    dns,
    stripe: ofStripe,
    jurisdiction,
    newestMigration: newestMigration(),
    isTokenWeak: token !== "" && listWeakSecrets({ OPERATOR_TOKEN: token }).length > 0,
  };
}

/** As the build notes it (vite.config.ts). */
function newestMigration(): string {
  const names = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  return names.toSorted().at(-1) ?? "none";
}
