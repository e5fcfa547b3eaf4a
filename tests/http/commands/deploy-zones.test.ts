import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startCloudflareApi } from "#tests/support/clients/cloudflare-api.ts";
import { CloudflareUploads } from "#tests/support/clients/cloudflare-uploads.ts";
import { runScript } from "#tests/support/clients/run-script.ts";
import { addressProblems, lookAtAddress } from "../../../scripts/deploy/address.ts";
import { customDomains } from "../../../scripts/deploy/problems.ts";
import { recordProblems, zoneProblems } from "../../../scripts/deploy/zones.ts";

const worker = String(readConfig({ config: "wrangler.toml" }, { hideWarnings: true }).name);
const secrets = ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"];
const zones = { names: ["other.example", "shop.example"] };

type Account = Parameters<typeof startCloudflareApi>[0];

/** Asks the account in this process. */
async function asking<Answer>(account: Account, ask: () => Promise<Answer>): Promise<Answer> {
  const api = await startCloudflareApi(account);
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", api.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  return ask().finally(() => api.close());
}

afterEach(() => vi.unstubAllEnvs());

describe("the host of an address", () => {
  test.each<[origin: string, account: Account]>([
    ["https://shop.example", { zones }],
    ["https://www.shop.example", { zones }],
    ["https://shop.exmaple", { zones, domains: { "shop.exmaple": worker } }],
    [`https://${worker}.ada.workers.dev`, { zones }],
    ["https://shop.exmaple", {}],
    ["https://shop.exmaple", { zones, broken: /^\/zones/ }],
    ["https://shop.exmaple", { zones: { names: [] } }],
    ["", { zones }],
  ])("%j may be deployed to with %j", async (origin, account) => {
    expect(await asking(account, () => zoneProblems("acc0", origin))).toEqual([]);
  });

  test.each(["https://shop.exmaple", "https://myshop.example", "https://example"])(
    "%s is refused, since no zone covers it",
    async (origin) => {
      expect(await asking({ zones }, () => zoneProblems("acc0", origin))).toEqual([
        expect.stringContaining(`No zone of this account covers ${new URL(origin).hostname}: correct PUBLIC_ORIGIN`),
      ]);
    },
  );
});

describe("an address that a Worker was deployed with", () => {
  const wanted = "https://shop.example";
  const moving = (deployed: string, account: Account) =>
    asking({ zones, deployed: { [worker]: deployed }, ...account }, async () =>
      addressProblems(worker, wanted, await lookAtAddress("acc0", worker, wanted)),
    );
  const routes = (host: string, script: string) => ({ zones: { ...zones, routes: { [host]: script } } });

  test.each<[deployed: string, account: Account]>([
    ["https://old.shop.example", { domains: { "old.shop.example": worker } }],
    ["https://old.shop.example", routes("old.shop.example", worker)],
    ["https://old.shop.example", routes("*.shop.example", worker)],
    [`https://${worker}.ada.workers.dev`, {}],
    // Its zone may be one that the token can't read.
    ["https://shop.exmaple", { zones: undefined }],
    ["https://old.shop.example", { broken: /\/routes$/ }],
  ])("as %s stays if it can have been used: %j", async (deployed, account) => {
    expect(await moving(deployed, account)).toEqual([expect.stringContaining("another address loses every passkey")]);
  });

  test.each<[deployed: string, account: Account]>([
    ["https://shop.exmaple", {}],
    ["https://old.shop.example", {}],
    ["https://old.shop.example", { domains: { "old.shop.example": "another" } }],
    ["https://old.shop.example", routes("old.shop.example", "another")],
    ["https://old.shop.example", routes("very.old.shop.example", worker)],
  ])("as %s can be corrected if the Worker never had it: %j", async (deployed, account) => {
    expect(await moving(deployed, account)).toEqual([]);
  });
});

describe("an address that another Worker of the account serves", () => {
  const origin = "https://www.shop.example";
  const problemsWith = (routes: Record<string, string>, account: Account = {}) =>
    asking({ zones: { ...zones, routes }, ...account }, async () =>
      addressProblems(worker, origin, await lookAtAddress("acc0", worker, origin)),
    );

  test.each<[route: string, routes: Record<string, string>]>([
    ["www.shop.example/*", { "www.shop.example": "other", "*.shop.example": worker }],
    ["*.shop.example/*", { "*.shop.example": "other", "*shop.example": worker }],
    ["*www.shop.example/*", { "*.shop.example": worker, "*www.shop.example": "other" }],
  ])("by the route %s isn't taken unless that is said", async (route, routes) => {
    expect(await problemsWith(routes)).toEqual([
      expect.stringContaining(
        `served by the Worker other of this account, not by ${worker}: remove its route ${route},`,
      ),
    ]);
  });

  test.each<[routes: Record<string, string>, account?: Account]>([
    [{ "www.shop.example": worker, "*www.shop.example": "other" }],
    // A route without a Worker, which exempts the host from the wider one.
    [{ "www.shop.example": "", "*.shop.example": "other" }],
    [{ "www.shop.example/blog": "other" }],
    [{ "shop.example": "other" }],
    // In front of the custom domain that this Worker has.
    [{ "www.shop.example": "other" }, { domains: { "www.shop.example": worker } }],
    [{ "www.shop.example": "other" }, { broken: /\/routes$/ }],
  ])("is free with %j", async (routes, account) => {
    expect(await problemsWith(routes, account)).toEqual([]);
  });
});

describe("a host with a DNS record", () => {
  const records = () => ({ "www.shop.example": { type: "CNAME", content: "old.example" } });
  const replaced = (account: Account, hosts = ["www.shop.example"]) =>
    asking({ zones: { ...zones, records: records() }, ...account }, () => recordProblems("acc0", worker, hosts));

  test("is named with the record, if the login may read it", async () => {
    expect(await replaced({})).toEqual([
      expect.stringMatching(/^www\.shop\.example has the DNS record CNAME old\.example, .*--replace-dns-record$/),
    ]);
    expect(await replaced({ broken: /\/dns_records\// })).toEqual([expect.stringContaining("has a DNS record")]);
  });

  test("is found neither behind the Worker's own domain nor for other hosts, and isn't known without an answer", async () => {
    expect(await replaced({ domains: { "www.shop.example": worker } })).toEqual([]);
    expect(await replaced({}, ["shop.example"])).toEqual([]);
    expect(await replaced({ broken: /\/changeset$/ })).toBeNull();
    expect(await replaced({ broken: /\/changeset$/ }, [])).toEqual([]);
  });

  test("isn't a certificate, and doesn't keep a Worker from a host that it has", async () => {
    const certificates = ["www.shop.example"];
    expect(await replaced({ zones: { ...zones, certificates } })).toEqual([]);
    const own = { domains: { "www.shop.example": worker } };
    expect(await replaced({ zones: { ...zones, records: records(), certificates }, ...own })).toEqual([]);
  });

  test("matters for custom domains alone, from PUBLIC_ORIGIN or wrangler.toml", () => {
    const bare = { name: worker, route: undefined, routes: undefined };
    const domainsOf = (routing: object, origin = "https://shop.example") =>
      customDomains({ ...bare, ...routing }, origin);
    expect(domainsOf({})).toEqual(["shop.example"]);
    expect(domainsOf({}, `https://${worker}.ada.workers.dev`)).toEqual([]);
    expect(domainsOf({}, "")).toEqual([]);
    expect(domainsOf({ route: "shop.example/*" })).toEqual([]);
    expect(domainsOf({ routes: [{ pattern: "shop.example/*", zone_name: "shop.example" }] })).toEqual([]);
    const routes = ["www.shop.example", "shop.example"].map((pattern) => ({ pattern, custom_domain: true }));
    expect(domainsOf({ routes })).toEqual(["www.shop.example", "shop.example"]);
  });
});

describe("npm run deploy", () => {
  const variables = { MAIL_FROM: "Shop <hello@shop.example>", PUBLIC_ORIGIN: "https://shop.exmaple" };
  const deploy = async (account: Account, env: Record<string, string>, ...args: string[]) => {
    const api = await startCloudflareApi({ secrets, ...account });
    const ended = await runScript("scripts/deploy/deploy.ts", ["--dirty", ...args], {
      CLOUDFLARE_API_BASE_URL: api.url,
      ...variables,
      ...env,
    });
    api.close();
    return { ...ended, changes: api.calls.filter((call) => !/^GET|\/domains\/changeset$/.test(call)) };
  };
  const refusal = expect.stringContaining("No zone of this account covers shop.exmaple");

  test("refuses a mistyped host before it changes anything, and takes the corrected one", async () => {
    const refused = await deploy({ zones }, { CLOUDFLARE_API_TOKEN: "token" });
    expect([refused.problems, refused.changes]).toEqual([[refusal], []]);
    const half = { zones, databases: [worker], deployed: { [worker]: "https://shop.exmaple" } };
    const again = await deploy(half, { CLOUDFLARE_API_TOKEN: "token", PUBLIC_ORIGIN: "" });
    expect(again.problems).toEqual([refusal]);
    const corrected = await deploy(half, { CLOUDFLARE_API_TOKEN: "token", PUBLIC_ORIGIN: "https://shop.example" });
    expect(corrected.problems).toEqual([]);
    expect(corrected.output).toContain(`${worker} at https://shop.example`);
  });

  test("replaces no DNS record, such as another website's, unless that is said", async () => {
    const records = { "www.shop.example": { type: "CNAME", content: "old.example" } };
    const uploads = new CloudflareUploads();
    const account = { zones: { ...zones, records }, databases: [worker], domains: {}, uploads };
    const env = { CLOUDFLARE_API_TOKEN: "token", PUBLIC_ORIGIN: "https://www.shop.example" };
    const refused = await deploy({ ...account, databases: [] }, env);
    expect([refused.problems, refused.changes]).toEqual([[expect.stringContaining("CNAME old.example")], []]);
    const replacing = await deploy(account, env, "--replace-dns-record");
    expect([replacing.status, records], replacing.output).toEqual([0, {}]);
    // The record is the Worker's own now.
    expect((await deploy(account, env)).problems).toEqual([]);
  });

  test("deploys where Cloudflare says nothing about DNS records, and reports that", async () => {
    const account = { zones, databases: [worker], broken: /\/changeset$/ };
    const ended = await deploy(account, { CLOUDFLARE_API_TOKEN: "token", PUBLIC_ORIGIN: "https://shop.example" });
    expect(ended.output).toContain("Cloudflare doesn't say whether shop.example has a DNS record");
    expect([ended.problems, ended.changes.length > 0]).toEqual([[], true]);
  });

  test("refuses any domain in an account without zones, which wrangler's own login can tell", async () => {
    const home = mkdtempSync(join(tmpdir(), "foyer-login-"));
    const folder = join(home, ".wrangler/config");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "default.toml"),
      'oauth_token = "token"\nexpiration_time = "2999-01-01T00:00:00.000Z"\n',
    );
    const login = { HOME: home, XDG_CONFIG_HOME: home };
    expect((await deploy({ zones: { names: [] } }, login)).problems).toEqual([refusal]);
    rmSync(home, { recursive: true });
  });
});
