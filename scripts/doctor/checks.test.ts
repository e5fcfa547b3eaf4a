import { describe, expect, test } from "vitest";
import type { Health } from "#app/modules/operators/health.rules.ts";
import { dayMs, minuteMs, secondMs } from "#app/core/time/time.ts";
import { featureSamples } from "#tests/support/features.ts";
import { API_VERSION, WEBHOOK_EVENTS } from "../stripe/webhook.ts";
import { type CheckName, checks, examine, spell } from "./checks.ts";
import type { DnsFacts, SeenPage, SiteFacts, StripeFacts } from "./facts.ts";
import { cronLateMs, waitsLongMs } from "./health.rules.ts";

const now = Date.UTC(2026, 10, 27, 12);
const origin = "https://shop.example";

const runningWell: Health = {
  checkedAt: now,
  cron: { lastRunAt: now - 20 * secondMs, failedJobs: [] },
  emails: {
    service: "cloudflare",
    queued: 1,
    oldestQueuedAt: now - secondMs,
    failed: 0,
    queuedForQuota: 0,
    failedForQuota: 0,
    newestForQuotaAt: null,
  },
  events: { unprocessed: 0, oldestUnprocessedAt: null, givenUp: 0 },
  syncs: { due: 2, oldestDueAt: now - minuteMs },
  mismatches: { listed: 0, owed: 0 },
  plans: { pausedAtFirst: 0, unclaimed: 0 },
  quotas: [{ name: "emails", used: 3, max: 10 }],
  newestMigration: "0026_x.sql",
  stripe: "live",
  ...Object.assign({}, ...featureSamples.map(({ health }) => health)),
  weakSecrets: [],
};

const endpoint = { status: "enabled", apiVersion: API_VERSION, events: WEBHOOK_EVENTS };
const ofStripe: StripeFacts = {
  isTestKey: false,
  endpoints: [endpoint],
  undelivered: { count: 0, newestAt: null },
  paymentMethods: ["card", "link"],
  prices: { sold: 4, differences: [] },
  fraudWarnings: { refusal: null },
};
const home = {
  status: 200,
  headers: [{ name: "X-Frame-Options", sent: "DENY", wanted: "DENY" }],
  canonical: `${origin}/`,
};
const tls = { protocol: "TLSv1.3", problem: null, validToAt: now + 60 * dayMs, oldProtocol: null };
const ofDns: DnsFacts = {
  service: "cloudflare",
  domain: "shop.example",
  spf: { names: ["cf-bounce.shop.example"], found: ["v=spf1 include:_spf.mx.cloudflare.net ~all"] },
  dkim: { names: ["cf-bounce._domainkey.shop.example"], found: ["v=DKIM1; k=rsa; p=MIIB"] },
  dmarc: { names: ["_dmarc.shop.example"], found: ["v=DMARC1; p=reject"] },
};
const page = (html: string): SeenPage => ({ path: "/", html: `<head>${html}</head>`, nonce: "n1" });

const well: SiteFacts = {
  origin,
  isLocal: false,
  now,
  home,
  declaredScripts: [],
  pages: [page('<script nonce="n1">0</script><script type="application/ld+json">{}</script>')],
  plainHttp: { status: 301, location: `${origin}/` },
  tls,
  webhookStatus: { status: 400 },
  health: { status: 200, health: runningWell },
  newestMigration: "0026_x.sql",
  isTokenWeak: false,
  dns: ofDns,
  stripe: ofStripe,
  jurisdiction: { database: "foyer", jurisdiction: "eu" },
  wantedJurisdiction: "eu",
};

const running = (changed: Partial<Health>) => ({ health: { status: 200, health: { ...runningWell, ...changed } } });
const withEmails = (changed: Partial<Health["emails"]>) => running({ emails: { ...runningWell.emails, ...changed } });
const atStripe = (changed: Partial<StripeFacts>) => ({ stripe: { ...ofStripe, ...changed } });
const inDns = (changed: Partial<DnsFacts>) => ({ dns: { ...ofDns, ...changed } });
const injected = (html: string) => ({ pages: [page(html)] });

describe("a site that is well", () => {
  test("has no problem, and nothing that wasn't checked", () => {
    expect(Object.entries(examine(well)).filter(([, { state }]) => state !== "ok")).toEqual([]);
  });

  test("is described in one line per check", () => {
    expect(spell(examine(well))).toHaveLength(Object.keys(checks).length);
  });

  test("may load the scripts that its config declares, even those of a zone's feature", () => {
    const beacon = "https://static.cloudflareinsights.com/beacon.min.js";
    const html = `<script nonce="n1" data-third-party src="${beacon}" defer></script>`;
    expect(examine({ ...well, ...injected(html), declaredScripts: [beacon] }).scripts.state).toBe("ok");
    expect(examine({ ...well, ...injected(html) }).scripts.state).toBe("problem");
  });

  test("isn't checked for what is left out", () => {
    expect(examine({ ...well, ...injected("<script>") }, ["scripts"]).scripts.state).toBe("not checked");
  });
});

describe("a problem is reported with its fix", () => {
  const problems: [CheckName, Partial<SiteFacts>, string][] = [
    ["origin", { home: { unasked: "no answer" } }, "no answer"],
    ["origin", { home: { ...home, status: 503 } }, "503"],
    ["origin", { home: { ...home, status: 302 } }, "302"],
    ["origin", { home: { ...home, canonical: "https://old.example/" } }, "https://old.example/"],
    ["https", { plainHttp: { status: 200, location: null } }, "200"],
    ["https", { plainHttp: { status: 301, location: "https://other.example/" } }, "other.example"],
    ["https", { plainHttp: { status: 301, location: `${origin}.evil.example/` } }, "evil.example"],
    ["tls", { tls: { ...tls, problem: "CERT_HAS_EXPIRED" } }, "CERT_HAS_EXPIRED"],
    ["tls", { tls: { ...tls, validToAt: now + 13 * dayMs } }, "in 13 days"],
    ["tls", { tls: { ...tls, oldProtocol: "TLSv1.1" } }, "TLSv1.1"],
    ["headers", { home: { ...home, headers: [{ name: "X", sent: null, wanted: "1" }] } }, "X is missing"],
    ["headers", { home: { ...home, headers: [{ name: "X", sent: "2", wanted: "1" }] } }, "X is 2"],
    [
      "scripts",
      { ...injected('<script src="https://skua.example/s.js">'), declaredScripts: ["https://skua.example/t.js"] },
      "skua.example/s.js",
    ],
    [
      "scripts",
      injected('<script src="/cdn-cgi/scripts/7d/cloudflare-static/rocket-loader.min.js" nonce="n1">'),
      "Rocket",
    ],
    ["scripts", injected('<script src="/cdn-cgi/scripts/5c/cloudflare-static/email-decode.min.js">'), "Email Address"],
    ["scripts", injected('<a href="/cdn-cgi/l/email-protection#a1">'), "Email Address"],
    ["scripts", injected('<script src="https://static.cloudflareinsights.com/beacon.min.js">'), "Web Analytics"],
    [
      "scripts",
      injected('<script nonce="n1">a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>'),
      "bots",
    ],
    ["scripts", injected('<script src="/cdn-cgi/zaraz/s.js">'), "Zaraz"],
    ["scripts", injected("<script>alert(1)</script>"), "isn't the site's"],
    ["migrations", { newestMigration: "0027_y.sql" }, "0027_y.sql"],
    ["cron", running({ cron: { lastRunAt: null, failedJobs: [] } }), "never"],
    ["cron", running({ cron: { lastRunAt: now - cronLateMs - minuteMs, failedJobs: [] } }), "6 minutes ago"],
    ["cron", running({ cron: { lastRunAt: now, failedJobs: ["orders"] } }), "orders"],
    ["outbox", withEmails({ queued: 2, oldestQueuedAt: now - waitsLongMs - 1 }), "2 emails"],
    ["outbox", withEmails({ queued: 9, queuedForQuota: 2, service: "resend" }), "quota of Resend is used up: 2 emails"],
    ["outbox", withEmails({ failedForQuota: 3, newestForQuotaAt: now - dayMs + 1 }), "3 failed"],
    ["events", running({ events: { unprocessed: 0, oldestUnprocessedAt: null, givenUp: 1 } }), "given up"],
    ["events", running({ events: { unprocessed: 4, oldestUnprocessedAt: now - waitsLongMs - 1, givenUp: 0 } }), "4 of"],
    ["syncs", running({ syncs: { due: 900, oldestDueAt: now - waitsLongMs - 1 } }), "900 customers wait"],
    ["payments", running({ mismatches: { listed: 3, owed: 1 } }), "1 payments weren't what was asked for"],
    ["retries", running({ plans: { pausedAtFirst: 2, unclaimed: 0 } }), "2 plans were paused"],
    ["customers", running({ plans: { pausedAtFirst: 0, unclaimed: 1 } }), "1 of Stripe's customers"],
    ["quotas", running({ quotas: [...runningWell.quotas, { name: "bytes", used: 8, max: 10 }] }), "bytes: 8 of 10"],
    ["secrets", { isTokenWeak: true }, "OPERATOR_TOKEN"],
    ["secrets", running({ weakSecrets: ["CODE_PEPPER"] }), "CODE_PEPPER"],
    ["jurisdiction", { jurisdiction: { database: "foyer", jurisdiction: null } }, "foyer may be stored anywhere"],
    ["jurisdiction", { jurisdiction: { database: "foyer", jurisdiction: "us" } }, "in us, and the config says eu"],
    ["jurisdiction", { wantedJurisdiction: null }, "in eu, and the config names no jurisdiction"],
    ["webhook", { webhookStatus: { status: 403 } }, "403"],
    ["stripe mode", atStripe({ isTestKey: true }), "a live key"],
    ["stripe endpoint", atStripe({ endpoints: [] }), "no endpoint"],
    ["stripe endpoint", atStripe({ endpoints: [endpoint, endpoint] }), "2 times"],
    ["stripe endpoint", atStripe({ endpoints: [{ ...endpoint, status: "disabled" }] }), "disabled"],
    ["stripe endpoint", atStripe({ endpoints: [{ ...endpoint, apiVersion: null }] }), "of the account"],
    ["stripe endpoint", atStripe({ endpoints: [{ ...endpoint, events: WEBHOOK_EVENTS.slice(1) }] }), "lacks"],
    ["fraud warnings", atStripe({ fraudWarnings: { refusal: "no rak_radar_read" } }), "no rak_radar_read"],
    ["stripe deliveries", atStripe({ undelivered: { count: 3, newestAt: now } }), "2026-11-27T12:00"],
    ["payment methods", atStripe({ paymentMethods: ["link"] }), "link"],
    ["prices", atStripe({ prices: { sold: 2, differences: ["solo_month is missing", "b"] } }), "missing, and 1 more"],
    ["spf", inDns({ spf: { names: ["a.example"], found: [] } }), "a.example"],
    ["spf", inDns({ spf: { names: ["a.example"], found: ["v=spf1 -all", "v=spf1 ~all"] } }), "2 SPF"],
    ["spf", inDns({ spf: { names: ["a.example"], found: ["v=spf1 +all"] } }), "every server"],
    ["spf", inDns({ spf: { names: ["a.example"], found: ["v=spf1 include:_spf.mx.cloudflare.net all"] } }), "every"],
    ["dkim", inDns({ dkim: { names: ["x"], found: ["v=DKIM1; p="] } }), "revoked"],
    ["dmarc", inDns({ dmarc: { names: ["x"], found: ["v=DMARC1"] } }), "no policy"],
  ];

  test.each(problems)("%s: %j", (name, changed, text) => {
    const verdict = examine({ ...well, ...changed })[name];
    expect(verdict.state).toBe("problem");
    expect(verdict.text).toContain(text);
    expect(spell({ [name]: verdict })).toEqual([expect.stringMatching(/^problem {5}.+\. [A-Z].+$/)]);
  });
});

describe("an SPF record authorises the service that sends", () => {
  const spfOf = (service: DnsFacts["service"], record: string) =>
    examine({ ...well, ...inDns({ service, spf: { names: ["send.shop.example"], found: [record] } }) }).spf;

  test.each<[DnsFacts["service"], string]>([
    ["resend", "v=spf1 include:amazonses.com ~all"],
    ["resend", "v=spf1 include:_spf.google.com +include:AmazonSES.com -all"],
    ["ses", "v=spf1 redirect=amazonses.com"],
    ["cloudflare", "v=spf1 include:_spf.mx.cloudflare.net ~all"],
    ["postmark", "v=spf1 a:mtasv.net ip4:192.0.2.0/24 ~all"],
    ["http-relay", "v=spf1 mx -all"],
    ["http-relay", "v=spf1 include:all.example -all"],
  ])("of %s: %s", (service, record) => {
    expect(spfOf(service, record).state).toBe("ok");
  });

  test.each<[DnsFacts["service"], string, string]>([
    ["resend", "v=spf1", "include:amazonses.com"],
    ["resend", "v=spf1 -all", "include:amazonses.com"],
    ["resend", "v=spf1 include:_spf.google.com -all", "include:amazonses.com"],
    ["resend", "v=spf1 include:amazonses.com.example -all", "include:amazonses.com"],
    ["resend", "v=spf1 a:amazonses.com -all", "include:amazonses.com"],
    ["resend", "v=spf1 ?include:amazonses.com -all", "include:amazonses.com"],
    ["resend", "v=spf1 ~all include:amazonses.com", "include:amazonses.com"],
    ["ses", "v=spf1 redirect=amazonses.com -all", "include:amazonses.com"],
    ["cloudflare", "v=spf1 include:amazonses.com ~all", "include:_spf.mx.cloudflare.net"],
    ["postmark", "v=spf1 -all", "Postmark"],
    ["http-relay", "v=spf1 -mx ~all", "EMAIL_RELAY_URL"],
  ])("not of %s: %s", (service, record, fix) => {
    expect(spfOf(service, record)).toMatchObject({ state: "problem", fix: expect.stringContaining(fix) });
  });
});

describe("a fix names the email service of the site", () => {
  const none = { names: ["x.shop.example"], found: [] };

  test.each<[CheckName, Partial<SiteFacts>, string]>([
    ["spf", inDns({ service: "resend", spf: none }), "Resend"],
    ["spf", inDns({ service: "postmark", spf: none }), "Postmark"],
    ["dkim", inDns({ service: "ses", dkim: none }), "Amazon SES"],
    ["dmarc", inDns({ service: "http-relay", dmarc: none }), "_dmarc.shop.example"],
    ["outbox", withEmails({ service: "ses", queued: 1, oldestQueuedAt: 0 }), "Amazon SES"],
    ["outbox", withEmails({ service: "postmark", queuedForQuota: 1 }), "Postmark"],
  ])("%s: %j", (name, changed, text) => {
    const verdict = examine({ ...well, ...changed })[name];
    expect(verdict).toMatchObject({ state: "problem", fix: expect.stringContaining(text) });
    expect(verdict).toMatchObject({ fix: expect.not.stringContaining("Email Sending") });
  });
});

describe("what can't be asked", () => {
  const policies = { names: ["_dmarc.shop.example"], found: ["v=DMARC1; p=reject; sp=none"] };
  const unasked = { unasked: "needs a key" };

  test.each<[CheckName, Partial<SiteFacts>]>([
    ["cron", { health: unasked }],
    ["cron", { health: { status: 401, health: null } }],
    ["cron", { health: { status: 200, health: null } }],
    ["scripts", { pages: [] }],
    ["secrets", { isLocal: true }],
    ["webhook", { webhookStatus: { status: 404 } }],
    ["stripe mode", running({ stripe: "off" })],
    ["stripe endpoint", { stripe: unasked }],
    ["payment methods", atStripe({ paymentMethods: unasked })],
    ["prices", atStripe({ prices: unasked })],
    ["fraud warnings", atStripe({ fraudWarnings: unasked })],
    ["spf", { dns: unasked }],
    ["spf", inDns({ service: "http-relay", spf: unasked })],
    ["dkim", inDns({ service: "ses", dkim: unasked })],
    ["jurisdiction", { jurisdiction: unasked }],
  ])("%s, isn't a problem: %j", (name, changed) => {
    expect(examine({ ...well, ...changed })[name].state).toBe("not checked");
  });

  test.each<[CheckName, Partial<SiteFacts>, string]>([
    ["stripe mode", { ...running({ stripe: "test" }), ...atStripe({ isTestKey: true }) }, "no customer is charged"],
    ["stripe mode", running({ stripe: "emulator" }), "emulator"],
    ["payments", running({ mismatches: { listed: 2, owed: 0 } }), "2 in a month"],
    ["prices", {}, "4 prices are the config's"],
    ["payment methods", atStripe({ paymentMethods: ["card", "sepa_debit"] }), "sepa_debit start"],
    [
      "jurisdiction",
      { jurisdiction: { database: "foyer", jurisdiction: null }, wantedJurisdiction: null },
      "foyer may be stored anywhere",
    ],
    ["outbox", withEmails({ failed: 2, failedForQuota: 1, newestForQuotaAt: now - dayMs }), "npm run ops -- review"],
    ["dmarc", inDns({ dmarc: { names: ["x"], found: ["v=DMARC1; p=none"] } }), "none are refused"],
    ["dmarc", inDns({ domain: "a.shop.example", dmarc: policies }), "none are refused"],
    ["dmarc", inDns({ dmarc: policies }), "reject"],
    [
      "spf",
      inDns({ service: "postmark", spf: { names: ["pm-bounces.shop.example"], found: [] } }),
      "Postmark sends with a return path of its own",
    ],
  ])("%s is fine, with a remark: %j", (name, changed, text) => {
    const verdict = examine({ ...well, ...changed })[name];
    expect(verdict).toEqual({ state: "ok", text: expect.stringContaining(text) });
  });
});
