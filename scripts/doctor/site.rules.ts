/**
 * Decides what is wrong with how a site answers: its address, encryption, headers, injected scripts, webhook. Invariants: what a local
 * site doesn't have is not checked; a script that isn't the site's own is a problem, known or not. Called from `checks.ts`.
 */
import { dayMs } from "#app/core/time/time.ts";
import type { SeenPage, SiteFacts } from "./facts.ts";
import { about, isUnasked, notChecked, ok, problem, type Verdict } from "./verdict.ts";

/** Cloudflare renews a certificate a month before its end. */
const certificateDaysMin = 14;

export function checkOrigin({ origin, home, pages }: SiteFacts): Verdict {
  if (isUnasked(home)) return problem(home.unasked, "Check the address, and the Worker's custom domain.");
  const { status, canonical } = home;
  if (status === 503)
    return problem(
      "the site answers 503",
      "Open its home page and `npx wrangler tail`: they name what is missing, or that MAINTENANCE is set.",
    );
  if (status !== 200)
    return problem(
      `the home page answers ${status}`,
      "Deploy again, and remove redirects and rules of the zone before the Worker.",
    );
  if (canonical !== `${origin}/`)
    return problem(
      `the site calls itself ${canonical ?? "nothing"}`,
      `Deploy with PUBLIC_ORIGIN=${origin}, or give the doctor the site's own address.`,
    );
  return ok(`${origin} answers, and ${pages.length} of its pages were read`);
}

export function checkHttps({ origin, plainHttp }: SiteFacts): Verdict {
  return about(plainHttp, ({ status, location }) =>
    status >= 301 && status <= 308 && location?.startsWith(`${origin}/`)
      ? ok("plain http is redirected to https")
      : problem(
          `plain http answers ${status}${location === null ? "" : ` and leads to ${location}`}`,
          "Let the Worker answer it: remove page rules and redirects for this host.",
        ),
  );
}

export function checkTls({ tls, now }: SiteFacts): Verdict {
  return about(tls, ({ protocol, problem: untrusted, validToAt, oldProtocol }) => {
    if (untrusted !== null)
      return problem(`the certificate isn't trusted: ${untrusted}`, "Look at SSL/TLS, edge certificates, in the zone.");
    const days = Math.floor((validToAt - now) / dayMs);
    if (days < certificateDaysMin)
      return problem(`the certificate ends in ${days} days`, "Look at SSL/TLS, edge certificates: its renewal fails.");
    if (oldProtocol !== null)
      return problem(
        `${oldProtocol} is accepted`,
        "Set the minimum TLS version to 1.2 under SSL/TLS, edge certificates.",
      );
    return ok(`${protocol}, and the certificate is valid for ${days} days`);
  });
}

export function checkHeaders({ home }: SiteFacts): Verdict {
  return about(home, ({ headers }) => {
    const wrong = headers.filter(({ sent, wanted }) => sent !== wanted);
    const [first] = wrong;
    if (first === undefined) return ok(`${headers.length} security headers are as the Worker sends them`);
    const how = first.sent === null ? "is missing" : `is ${first.sent}`;
    return problem(
      `${first.name} ${how}${wrong.length > 1 ? `, and ${wrong.length - 1} more differ` : ""}`,
      "Remove what changes response headers in the zone (transform rules, managed transforms, HSTS), or deploy this clone.",
    );
  });
}

/** Features of a zone that add scripts to pages, where the policy blocks them, and where to turn each of them off. */
const injecting: readonly { feature: string; sign: RegExp; where: string }[] = [
  { feature: "Rocket Loader", sign: /rocket-loader(\.min)?\.js/, where: "Speed, Settings, Content Optimization" },
  {
    feature: "Email Address Obfuscation",
    sign: /\/cdn-cgi\/(scripts\/[^"'\s]*email-decode|l\/email-protection)/,
    where: "Security, Settings",
  },
  {
    feature: "Web Analytics",
    sign: /static\.cloudflareinsights\.com\/beacon/,
    where: "Analytics, Web Analytics, Manage site",
  },
  { feature: "JavaScript detections of bots", sign: /\/cdn-cgi\/challenge-platform\//, where: "Security, Bots" },
  { feature: "Zaraz", sign: /\/cdn-cgi\/zaraz\//, where: "Zaraz" },
];

export function checkScripts({ pages, declaredScripts }: SiteFacts): Verdict {
  if (pages.length === 0) return notChecked("no page of the site could be read");
  for (const seen of pages) {
    const page = { ...seen, html: withoutDeclared(seen.html, declaredScripts) };
    const found = injecting.find(({ sign }) => sign.test(page.html));
    if (found)
      return problem(`${found.feature} adds a script to ${page.path}`, `Turn it off in the zone: ${found.where}.`);
    const foreign = findForeignScript(page);
    if (foreign !== null)
      return problem(
        `a script that isn't the site's is in ${page.path}: ${foreign}`,
        "Turn off what adds it: an app, a snippet or a rule of the zone. If it's wanted, declare it in thirdParties.",
      );
  }
  const { length } = declaredScripts;
  return ok(length === 0 ? "no script is added to the pages" : `no script is added but the ${length} of thirdParties`);
}

/** A team may declare what a zone can also inject, such as Web Analytics. */
function withoutDeclared(html: string, declared: readonly string[]): string {
  return html.replaceAll(/<script\b[^>]*\bsrc="([^"]*)"[^>]*>/gi, (tag, src: string) =>
    declared.includes(src.replaceAll("&amp;", "&")) ? "" : tag,
  );
}

/** A script runs only with its response's nonce. JSON in a script element doesn't run. */
function findForeignScript({ html, nonce }: SeenPage): string | null {
  const tags = [...html.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag);
  const foreign = tags.find((tag) => !/type="application\/(ld\+)?json"/i.test(tag) && !(nonce && tag.includes(nonce)));
  return foreign?.slice(0, 100) ?? null;
}

export function checkWebhook({ webhookStatus }: SiteFacts): Verdict {
  return about(webhookStatus, ({ status }) => {
    if (status === 400) return ok("events without Stripe's signature arrive, and are refused");
    if (status === 404) return notChecked("nothing is on sale: set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET");
    return problem(
      `an event without a signature is answered ${status} in place of 400`,
      "Exclude /webhooks/stripe from rules, challenges and Access of the zone.",
    );
  });
}
