import { readdirSync } from "node:fs";
import { listWeakSecrets } from "#app/configuration.ts";
import { readEmailService } from "#app/integrations/email/email-services.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import type { Settings } from "../stripe/settings.ts";
import type { SiteFacts } from "./facts.ts";
import { gatherDns, type ResolveTxt, type Sender } from "./gather-dns.ts";
import { type CloudflareAccess, gatherJurisdiction } from "./gather-jurisdiction.ts";
import { gatherSite } from "./gather-site.ts";
import { gatherStripe } from "./gather-stripe.ts";
import { gatherTls } from "./gather-tls.ts";

/** A team's config may leave out what is optional. */
const config: ProductConfig = product;

export type DoctorSettings = {
  origin: string;
  token: string;
  /** Its email service is asked of the site first. */
  sender: Sender;
  stripe: Settings;
  cloudflare: CloudflareAccess;
};

/**
 * Asks the site, then DNS about the site's email service, and at the same time Stripe and Cloudflare. A local site has no domain,
 * certificate or account.
 */
export async function gather(settings: DoctorSettings, resolveTxt: ResolveTxt): Promise<SiteFacts> {
  const { origin, token, sender, stripe, cloudflare } = settings;
  const isLocal = !origin.startsWith("https:");
  const now = Date.now();
  const local = { unasked: "local" };
  const visit = gatherSite({ origin, token, stripeEmulatorOrigin: isLocal ? stripe.apiBase : "" });
  const ofDns = async () => {
    const { health } = await visit;
    const service = "unasked" in health ? undefined : health.health?.emails.service;
    return gatherDns({ ...sender, service: readEmailService(service ?? sender.service) ?? sender.service }, resolveTxt);
  };
  const [ofSite, tls, dns, ofStripe, jurisdiction] = await Promise.all([
    visit,
    gatherTls(origin),
    isLocal ? local : ofDns(),
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
    wantedJurisdiction: config.jurisdiction ?? null,
    newestMigration: newestMigration(),
    isTokenWeak: token !== "" && listWeakSecrets({ OPERATOR_TOKEN: token }).length > 0,
  };
}

/** The newest migration, as the build notes it (vite.config.ts). */
function newestMigration(): string {
  const names = readdirSync("drizzle").filter((name) => name.endsWith(".sql"));
  return names.toSorted().at(-1) ?? "none";
}
