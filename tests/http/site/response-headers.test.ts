import { beforeAll, describe, expect, test } from "vitest";
import { strictTransport } from "#app/modules/catalogue/https-only.rules.ts";
import { product } from "#app/product/config.ts";
import { failingAt, whileBroken, without } from "#tests/support/database/damage.ts";
import { addresses } from "#tests/support/site/addresses.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

/**
 * The headers of every answer: every address of the route map and of the product API, requested with every method,
 * signed out and signed in, and addresses outside of the map. A route that is added is tested, too.
 */
let customer: Visitor;

const site = useSite({ stripe: false });
beforeAll(async () => {
  customer = await signUp(site, "customer@example.com", "");
});

const form = "application/x-www-form-urlencoded";
const signedIn = () => ({ Cookie: `__Host-session=${customer.cookies.get("__Host-session")}` });
const own = () => ({ Origin: site.origin, "Content-Type": form });

/** Exactly these, everywhere. `public/_headers` lists the same. */
const always = {
  "Strict-Transport-Security": strictTransport(product),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};

/** Of the policy: what a script, a style, a form, a frame and everything else may be loaded from. */
const policy = [
  "default-src 'none'",
  /^script-src ('none'|'nonce-[a-z0-9]{26}' 'strict-dynamic')$/,
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self' https://checkout.stripe.com https://billing.stripe.com",
];
const policyOfFiles = [
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];

/** Checks the whole table against one answer. */
async function hold(ask: string, answer: Response, { isPrivate = false, isFile = false } = {}) {
  const { headers, status } = answer;
  const sent = Object.fromEntries(Object.keys(always).map((name) => [name, headers.get(name)]));
  expect([ask, sent]).toEqual([ask, always]);
  const directives = headers.get("Content-Security-Policy")?.split("; ") ?? [];
  const expected = isFile ? policyOfFiles : policy;
  expect([ask, directives]).toEqual([
    ask,
    expected.map((each) => (each instanceof RegExp ? expect.stringMatching(each) : each)),
  ]);
  // A page in a browser has a content type; what our own pages render has scripts under its nonce, and nothing else
  // inline.
  const text = await answer.text();
  const contentType = /^((text\/[a-z-]+|[a-z]+\/([a-z-]+\+)?xml); charset=utf-8|(?!text\/|.*xml)[a-z]+\/[a-z+.-]+)/i;
  if (text !== "") expect([ask, headers.get("Content-Type")]).toEqual([ask, expect.stringMatching(contentType)]);
  const nonce = /'nonce-(\w+)'/.exec(directives[1] ?? "")?.[1];
  const scripts = [...text.matchAll(/<script\b(?! type="application\/ld\+json")[^>]*>/g)].map(([tag]) => tag);
  expect([ask, scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))]).toEqual([ask, []]);
  expect([ask, text.match(/<[^>]+\son[a-z]+=|<style|\sstyle="|javascript:/g)]).toEqual([ask, null]);
  const cookies = headers.getSetCookie();
  const shape =
    /^__Host-(?:session|browser|visit|flash|theme|reference)=[\w.%-]*; Path=\/; Max-Age=\d+; (?:HttpOnly; )?Secure; SameSite=Lax$/;
  const secure = cookies.filter((cookie) => shape.test(cookie));
  // This site is on http and this machine's own, where Safari keeps no others.
  const plain = secure.map((cookie) => cookie.replace("__Host-", "").replace("; Secure", ""));
  expect([ask, cookies]).toEqual([ask, [...secure, ...plain]]);
  expect([
    ask,
    secure.filter((cookie) => !cookie.includes("HttpOnly") && !cookie.startsWith("__Host-reference=")),
  ]).toEqual([ask, []]);
  const cacheControl = headers.get("Cache-Control");
  if (isPrivate || status >= 400 || cookies.length > 0) expect([ask, cacheControl]).toEqual([ask, "no-store"]);
  else expect([ask, cacheControl]).toEqual([ask, expect.stringMatching(/\S/)]);
  // No other origin may read our pages, and no header says what software runs here.
  const revealing = [...headers.keys()].filter((name) => /^(access-control-|x-powered-by|via$|x-.*version)/.test(name));
  expect([ask, revealing]).toEqual([ask, []]);
}

describe("every answer has its headers, policy, cookie attributes and cache rules", () => {
  test.each(addresses)("$pattern", async ({ path, dataPath }) => {
    for (const way of [path, dataPath]) {
      for (const method of ["GET", "HEAD"]) {
        await hold(`${method} ${way}`, await site.fetch(way, { method }));
        const answer = await site.fetch(way, { method, headers: signedIn() });
        await hold(`${method} ${way} signed in`, answer, { isPrivate: true });
      }
      await hold(`POST ${way}`, await site.fetch(way, { method: "POST", headers: own(), body: "" }));
      const foreign = { ...own(), Origin: "https://evil.example" };
      await hold(
        `POST ${way} from elsewhere`,
        await site.fetch(way, { method: "POST", headers: foreign, body: "a=b" }),
      );
      await hold(`PUT ${way}`, await site.fetch(way, { method: "PUT", headers: own(), body: "a=b" }));
    }
  });

  test("for the product API, with each call refused and with every method", async () => {
    const document = (await (await site.fetch("/api/v1/openapi.json")).json()) as { paths: Record<string, object> };
    const paths = Object.keys(document.paths).map((path) => `/api/v1${path.replace(/^\/api\/v1/, "")}`);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of [...paths, "/api/v1/nothing", "/api/v1/openapi.json"]) {
      for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        await hold(`${method} ${path}`, await site.fetch(path, { method, headers: { Authorization: "Bearer x" } }));
      }
    }
  });

  const others: [string, () => Promise<Response>, number][] = [
    ["the tunnel", () => site.fetch("/monitoring", { method: "POST", body: "{}" }), 204],
    ["the tunnel, visited", () => site.fetch("/monitoring"), 405],
    [
      "a form that is too large",
      () => site.fetch("/login", { method: "POST", headers: own(), body: "x".repeat(70_000) }),
      413,
    ],
    [
      "a page that broke",
      () => whileBroken(site, without("orders"), () => site.fetch("/settings/orders", { headers: signedIn() })),
      500,
    ],
    [
      "a sign-out that couldn't be done",
      () =>
        whileBroken(site, failingAt("update of state on sessions"), () =>
          site.fetch("/logout", { method: "POST", headers: { ...own(), ...signedIn() } }),
        ),
      503,
    ],
  ];

  test.each(others)("for %s", async (ask, fetch, status) => {
    const answer = await fetch();
    expect(answer.status).toBe(status);
    await hold(ask, answer);
  });

  test("for static files, of which those with a hash in their name are cached forever", async () => {
    await hold("a file", await site.fetch("/favicon.svg"), { isFile: true });
    const page = await (await site.fetch("/")).text();
    const assets = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? "");
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const asset = await site.fetch(path);
      expect([path, asset.headers.get("Cache-Control")]).toEqual([path, "public, max-age=31536000, immutable"]);
      await asset.body?.cancel();
    }
  });
});

test("a page's nonce is a new one each time", async () => {
  const policies = await Promise.all([site.fetch("/login"), site.fetch("/login")]);
  const [one, other] = policies.map(
    ({ headers }) => /'nonce-([^']+)'/.exec(headers.get("Content-Security-Policy") ?? "")?.[1],
  );
  expect(one).toBeDefined();
  expect(one).not.toBe(other);
});
