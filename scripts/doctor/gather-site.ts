import type { Health } from "#app/modules/operators/health.rules.ts";
import { thirdPartiesOn } from "#app/modules/catalogue/third-parties.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { secondMs } from "#app/core/time/time.ts";
import { securityHeaders } from "#workers/security-headers.ts";
import type { SeenPage, SiteFacts } from "./facts.ts";

/** What this clone's config loads from other companies on the two pages, for a visitor. */
const config: ProductConfig = product;
const onHome = thirdPartiesOn(config, { pathname: "/", isSignedIn: false });
const declaredScripts = onHome.flatMap(({ scripts = [] }) => scripts.map(({ src }) => src));

/** How long a page may take. */
const answerWithinMs = 15 * secondMs;

/** Asks as a browser: zones add scripts to pages, and not to what programs fetch. */
const asBrowser = { Accept: "text/html", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) foyer-doctor" };

export type Target = { origin: string; token: string; stripeEmulatorOrigin: string };

type OfSite = Pick<SiteFacts, "home" | "pages" | "declaredScripts" | "plainHttp" | "webhookStatus" | "health">;

/** What the site answers. The imprint has an email address, which is what some zones rewrite. */
export async function gatherSite(target: Target): Promise<OfSite> {
  const [home, imprint, plainHttp, webhookStatus, health] = await Promise.all([
    readHome(target),
    readPage(target.origin, "/legal/imprint"),
    readPlainHttp(target.origin),
    readWebhookStatus(target.origin),
    readHealthz(target),
  ]);
  const seen = "page" in home ? [home.page, ...("page" in imprint ? [imprint.page] : [])] : [];
  return { home: "page" in home ? home.facts : home, pages: seen, declaredScripts, plainHttp, webhookStatus, health };
}

async function readHome({ origin, stripeEmulatorOrigin }: Target) {
  const read = await readPage(origin, "/");
  if ("unasked" in read) return read;
  const { page, answer } = read;
  const isReported = answer.headers.has("Reporting-Endpoints");
  const wanted = securityHeaders(page.nonce, { stripeEmulatorOrigin, isReported, embeds: onHome }, false);
  const headers = Object.entries(wanted).map(([name, value]) => ({
    name,
    sent: answer.headers.get(name),
    wanted: value,
  }));
  const canonical = /<link rel="canonical" href="([^"]+)"/.exec(page.html)?.[1] ?? null;
  return { page, facts: { status: answer.status, headers, canonical } };
}

async function readPage(origin: string, path: string) {
  return attempt(origin, async () => {
    const answer = await get(origin + path, { headers: asBrowser });
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "")?.[1] ?? null;
    const page: SeenPage = { path, html: await answer.text(), nonce };
    return { page, answer };
  });
}

async function readPlainHttp(origin: string): Promise<SiteFacts["plainHttp"]> {
  if (!origin.startsWith("https:")) return { unasked: "local" };
  return attempt(origin, async () => {
    const answer = await get(`${origin.replace("https:", "http:")}/`, { headers: asBrowser });
    return { status: answer.status, location: answer.headers.get("Location") };
  });
}

async function readWebhookStatus(origin: string): Promise<SiteFacts["webhookStatus"]> {
  return attempt(origin, async () => {
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    };
    const { status } = await get(`${origin}/webhooks/stripe`, { method: "POST", body: "{}", headers });
    return { status };
  });
}

async function readHealthz({ origin, token }: Target): Promise<SiteFacts["health"]> {
  if (token === "") return { unasked: "OPERATOR_TOKEN is needed, in the environment" };
  return attempt(origin, async () => {
    const answer = await get(`${origin}/healthz`, { headers: { Authorization: `Bearer ${token}` } });
    return { status: answer.status, health: readReport(await answer.text()) };
  });
}

/** Null if the answer isn't a site's report. Instants become milliseconds again. */
function readReport(text: string): Health | null {
  try {
    const read: unknown = JSON.parse(text, (name, value: unknown) =>
      name.endsWith("At") && typeof value === "string" ? Date.parse(value) : value,
    );
    // Written by the site's version of Foyer, which may not be this one.
    const { emails } = read as Partial<Health>;
    return emails?.service === undefined ? null : (read as Health);
  } catch {
    return null;
  }
}

function get(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { redirect: "manual", signal: AbortSignal.timeout(answerWithinMs), ...init });
}

async function attempt<Known>(origin: string, ask: () => Promise<Known>): Promise<Known | { unasked: string }> {
  try {
    return await ask();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { unasked: `${origin} doesn't answer: ${cause instanceof Error ? cause.message : String(cause)}` };
  }
}
