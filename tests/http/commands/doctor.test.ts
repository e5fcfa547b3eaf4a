import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { unstable_readConfig as readConfig } from "wrangler";
import { describe, expect, test } from "vitest";
import { minuteMs } from "#app/core/time/time.ts";
import type { EmailServiceName } from "#app/integrations/email/email-services.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { operatorToken } from "#tests/support/clients/operator-driver.ts";
import { startSecureSite } from "#tests/support/site/secure-site.ts";
import { localVars } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { examine } from "../../../scripts/doctor/checks.ts";
import { gather } from "../../../scripts/doctor/gather.ts";
import { gatherDns } from "../../../scripts/doctor/gather-dns.ts";
import { gatherJurisdiction } from "../../../scripts/doctor/gather-jurisdiction.ts";
import { gatherTls } from "../../../scripts/doctor/gather-tls.ts";
import { readDoctorSettings } from "../../../scripts/doctor/read-doctor-settings.ts";
import { featureTools } from "../../../scripts/features.ts";

const site = useSite();

const config = readConfig({ config: "wrangler.toml" }, { hideWarnings: true });

const noDns = () => Promise.reject(new Error("a local site has no domain"));

async function examineSite(origin = site.origin, changed: Record<string, string> = {}) {
  const local = { ...localVars, STRIPE_API_BASE: site.stripe?.origin ?? "", ...changed };
  return examine(await gather(readDoctorSettings({}, local, origin, config), noDns));
}

const states = (verdicts: Record<string, { state: string }>, state: string) =>
  Object.entries(verdicts).flatMap(([name, verdict]) => (verdict.state === state ? [name] : []));

/** What a zone does to the site's pages. */
async function throughZone(change: (answer: { headers: Headers; html: string }) => string) {
  const server = createServer(async (request, response) => {
    const answer = await site.fetch(request.url ?? "/");
    const headers = new Headers(answer.headers);
    const html = change({ headers, html: await answer.text() });
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    response.writeHead(answer.status, Object.fromEntries(headers)).end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

describe("npm run doctor", () => {
  test("finds no problem in a local site, and lists what isn't checked there", async () => {
    await site.runCron();
    const verdicts = await examineSite();
    expect(states(verdicts, "problem")).toEqual([]);
    const ofFeatures = featureTools.flatMap(({ checks }) => Object.keys(checks ?? {}));
    const local = ["https", "tls", "secrets", "jurisdiction", "spf", "dkim", "dmarc", ...ofFeatures];
    expect(states(verdicts, "not checked")).toEqual(local);
    expect(verdicts["stripe endpoint"].text).toContain("enabled");
  });

  test("prints a line per check, and ends with 1 while something is to be fixed", async () => {
    const run = async (...args: string[]) => {
      const env = { ...process.env, ...localVars, STRIPE_API_BASE: site.stripe?.origin ?? "" };
      const started = spawn("node", ["scripts/doctor/doctor.ts", ...args], { env });
      const ended = once(started, "exit");
      const output = await text(started.stdout);
      return { output, status: (await ended)[0] };
    };
    // Of this file's site and of a team's own product, only the headers may differ: `httpsOnly` is the product's.
    const args = ["--origin", site.origin, "--skip", "headers"];
    await site.runCron();
    const healthy = await run(...args);
    expect(healthy.output).toMatch(/^ok +cron +it ran \d+ seconds ago$/m);
    expect([healthy.status, healthy.output]).toEqual([0, expect.stringContaining("No problem.")]);
    await site.runCron(Date.now() - 10 * minuteMs);
    const stale = await run(...args);
    expect([stale.status, stale.output]).toEqual([1, expect.stringContaining("it last ran 10 minutes ago. Check")]);
  });

  test("finds a heartbeat that is missing, and a token that is refused", async () => {
    await site.runCron(Date.now() - 6 * minuteMs);
    expect((await examineSite()).cron.state).toBe("problem");
    const refused = await examineSite(site.origin, { OPERATOR_TOKEN: `${operatorToken}-not` });
    expect(refused.cron).toEqual({
      state: "not checked",
      text: expect.stringContaining("refuses this OPERATOR_TOKEN"),
    });
  });

  test("finds a header that a zone removed, and one that it changed", async () => {
    const zone = await throughZone(({ headers, html }) => {
      headers.delete("X-Frame-Options");
      headers.set("Strict-Transport-Security", "max-age=0");
      return html;
    });
    const { headers } = await examineSite(zone.origin);
    zone.close();
    expect(headers).toMatchObject({
      state: "problem",
      text: expect.stringContaining("is max-age=0, and 1 more differ"),
    });
  });

  test("finds a script that a zone adds to pages", async () => {
    const script = '<script defer src="https://static.cloudflareinsights.com/beacon.min.js"></script>';
    const zone = await throughZone(({ html }) => html.replace("</body>", `${script}</body>`));
    const { scripts } = await examineSite(zone.origin);
    zone.close();
    expect(scripts).toMatchObject({ state: "problem", text: "Web Analytics adds a script to /" });
  });

  test("finds an endpoint that Stripe has disabled", async () => {
    const sdk = site.stripe?.sdk;
    const [endpoint] = (await sdk?.webhookEndpoints.list())?.data ?? [];
    await sdk?.webhookEndpoints.update(endpoint?.id ?? "", { disabled: true });
    const { "stripe endpoint": disabled } = await examineSite();
    await sdk?.webhookEndpoints.update(endpoint?.id ?? "", { disabled: false });
    expect(disabled).toMatchObject({ state: "problem", text: "Stripe has disabled the endpoint" });
  });
});

describe("what only a deployed site has", () => {
  test("a certificate that isn't trusted is found", async () => {
    const secure = await startSecureSite({});
    const tls = await gatherTls(secure.origin);
    await secure.close();
    expect(tls).toMatchObject({ protocol: "TLSv1.3", problem: expect.stringMatching(/SELF_SIGNED/) });
  });

  test("the sender's records are looked up where receivers do", async () => {
    const records: Record<string, string[][]> = {
      "mail.shop.example": [["other"], ["v=spf1 ", "-all"]],
      "s1._domainkey.mail.shop.example": [["v=DKIM1; p=MI", "IB"]],
      "_dmarc.shop.example": [["v=DMARC1; p=reject"]],
    };
    const resolve = async (name: string) =>
      records[name] ?? Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    const sender = {
      from: "Shop <hello@mail.shop.example>",
      service: "cloudflare",
      dkimSelector: "s1",
      returnPath: "",
    } as const;
    expect(await gatherDns(sender, resolve)).toEqual({
      service: "cloudflare",
      domain: "mail.shop.example",
      spf: { names: ["cf-bounce.mail.shop.example"], found: [] },
      dkim: { names: ["s1._domainkey.mail.shop.example"], found: ["v=DKIM1; p=MIIB"] },
      dmarc: { names: ["_dmarc.shop.example"], found: ["v=DMARC1; p=reject"] },
    });
    const down = () => Promise.reject(Object.assign(new Error("queryTxt ETIMEOUT"), { code: "ETIMEOUT" }));
    expect(await gatherDns(sender, down)).toEqual({ unasked: expect.stringContaining("ETIMEOUT") });
    expect(await gatherDns({ ...sender, from: "" }, resolve)).toEqual({
      unasked: expect.stringContaining("MAIL_FROM"),
    });
  });

  /** DNS as each service documents it: names with their TXT records, also those behind a CNAME. */
  const zone: Record<string, string> = {
    "shop.example": "v=spf1 include:_spf.mx.cloudflare.net ~all",
    "cf-bounce.shop.example": "v=spf1 include:_spf.mx.cloudflare.net ~all",
    "cf-bounce._domainkey.shop.example": "v=DKIM1; k=rsa; p=MIID",
    "send.shop.example": "v=spf1 include:amazonses.com ~all",
    "resend._domainkey.shop.example": "p=MIIA",
    "pm-bounces.shop.example": "v=spf1 a:mtasv.net ~all",
    "2026pm._domainkey.shop.example": "k=rsa; p=MIIB",
    "bounce.shop.example": "v=spf1 include:amazonses.com ~all",
    "abc._domainkey.shop.example": "p=MIIC",
    "_dmarc.shop.example": "v=DMARC1; p=reject",
  };
  const atService = (service: EmailServiceName, names: { dkimSelector?: string; returnPath?: string } = {}) =>
    gatherDns({ from: "hello@shop.example", service, dkimSelector: "", returnPath: "", ...names }, async (name) =>
      name in zone ? [[String(zone[name])]] : Promise.reject(Object.assign(new Error("none"), { code: "ENODATA" })),
    );

  test.each<[EmailServiceName, { dkimSelector?: string; returnPath?: string }, string, string]>([
    ["cloudflare", {}, "cf-bounce.shop.example", "cf-bounce._domainkey.shop.example"],
    ["resend", {}, "send.shop.example", "resend._domainkey.shop.example"],
    ["postmark", { dkimSelector: "2026pm" }, "pm-bounces.shop.example", "2026pm._domainkey.shop.example"],
    [
      "ses",
      { dkimSelector: "abc", returnPath: "bounce.shop.example" },
      "bounce.shop.example",
      "abc._domainkey.shop.example",
    ],
  ])("%s is looked up by the names of its own records", async (service, names, spf, dkim) => {
    expect(await atService(service, names)).toMatchObject({
      service,
      spf: { names: [spf], found: [zone[spf]] },
      dkim: { names: [dkim], found: [zone[dkim]] },
      dmarc: { found: ["v=DMARC1; p=reject"] },
    });
  });

  test.each<[EmailServiceName, string[]]>([
    ["http-relay", ["spf", "dkim"]],
    ["ses", ["spf", "dkim"]],
    ["postmark", ["dkim"]],
  ])("of %s, names that it doesn't fix aren't guessed: %j", async (service, unknown) => {
    const facts = Object.entries(await atService(service));
    expect(facts.flatMap(([name, fact]) => (typeof fact === "object" && "unasked" in fact ? [name] : []))).toEqual(
      unknown,
    );
  });

  test.each([
    ["hello@shop.example", ["_dmarc.shop.example"]],
    ["a@news.shop.example.com", ["_dmarc.news.shop.example.com", "_dmarc.example.com"]],
    ["a@news.shop.co.uk", ["_dmarc.news.shop.co.uk", "_dmarc.shop.co.uk"]],
    ["a@shop.co.uk", ["_dmarc.shop.co.uk"]],
    ["a@localhost", ["_dmarc.localhost"]],
  ])("of %s, the policy is the domain's own or its organisation's", async (from, names) => {
    const sender = { from, service: "cloudflare", dkimSelector: "", returnPath: "" } as const;
    const none = () => Promise.reject(Object.assign(new Error("none"), { code: "ENODATA" }));
    expect(await gatherDns(sender, none)).toMatchObject({ dmarc: { names, found: [] } });
  });

  test("the email service is what wrangler.toml or the environment says, until the site says it", () => {
    const of = (environment: Record<string, string>, vars: Record<string, unknown>) =>
      readDoctorSettings(environment, {}, "https://shop.example", { ...config, vars }).sender;
    expect(of({}, {})).toMatchObject({ service: "cloudflare", from: "" });
    expect(of({}, { EMAIL_SERVICE: "resend", MAIL_FROM: "a@shop.example" })).toMatchObject({
      service: "resend",
      from: "a@shop.example",
    });
    expect(of({ EMAIL_SERVICE: "ses" }, { EMAIL_SERVICE: "resend" }).service).toBe("ses");
  });

  test("of staging, its own address and database are checked", async () => {
    const name = `${config.name}-staging`;
    const api = await startCloudflareApi({
      databases: [String(config.name), name],
      jurisdictions: { [name]: "eu" },
      deployed: { [name]: "https://try.invalid" },
    });
    const env = { CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_ACCOUNT_ID: "acc0", CLOUDFLARE_API_BASE_URL: api.url };
    const doctor = (args: string[], changed: Record<string, string> = {}) =>
      runScript("scripts/doctor/doctor.ts", args, { ...env, ...changed });
    const staging = await doctor(["--to", "staging"], { PUBLIC_ORIGIN: "" });
    const refused = await doctor(["--to", "moon"]);
    const production = await doctor(["--to", "staging"], { PUBLIC_ORIGIN: "https://shop.invalid" });
    const preview = await doctor(["--to", "preview", "--branch", "fix/door"]);
    api.close();
    expect([production.status, production.output]).toEqual([
      1,
      expect.stringContaining(
        `PUBLIC_ORIGIN is https://shop.invalid, and the Worker ${name} serves https://try.invalid`,
      ),
    ]);
    expect(production.output).not.toContain("Asking");
    expect(preview.output).toContain("npm run deploy -- --to preview --branch fix/door");
    expect(staging.output).toContain("Asking https://try.invalid");
    expect(staging.output).toMatch(new RegExp(`^ok +jurisdiction +${name} is stored in eu$`, "m"));
    expect([refused.status, refused.output]).toEqual([
      1,
      expect.stringContaining("--to is production, staging or preview"),
    ]);
  });

  test("an empty PUBLIC_ORIGIN is none: the site of the clone is asked", async () => {
    const { output } = await runScript("scripts/doctor/doctor.ts", [], { PUBLIC_ORIGIN: "" });
    expect(output).toMatch(/^Asking http:\/\//);
  });

  test.each(["eu", null])("the database's jurisdiction is read from Cloudflare: %j", async (jurisdiction) => {
    const { url, close } = await startCloudflareApi({ databases: ["foyer"], jurisdiction });
    const access = { api: url, accountId: "acc0", token: "token", database: "foyer" };
    const found = await gatherJurisdiction(access);
    const missing = await gatherJurisdiction({ ...access, database: "other" });
    close();
    expect(found).toEqual({ database: "foyer", jurisdiction });
    expect(missing).toEqual({ unasked: expect.stringContaining("no database other") });
  });
});
