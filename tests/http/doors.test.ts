import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { large, pages } from "#tests/support/catalogue.ts";
import { type Site, startSite } from "#tests/support/site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite({ stripe: false });
});
afterAll(() => site.close());

const own = () => ({ Origin: site.origin, "Content-Type": "application/x-www-form-urlencoded" });

describe("every class of answer carries the headers", () => {
  const answers: [string, () => Promise<Response>, number][] = [
    ["a page", () => site.fetch("/"), 200],
    ["a page's data", () => site.fetch("/signup.data"), 200],
    ["a redirect", () => site.fetch("/settings"), 303],
    ["a page that isn't there", () => site.fetch("/nothing/here"), 404],
    ["data that isn't there", () => site.fetch("/nothing/here.data"), 404],
    ["a method that isn't meant", () => site.fetch("/healthz", { method: "POST", headers: own() }), 405],
    ["a method that nobody takes", () => site.fetch("/waitlist", { method: "PUT", headers: own() }), 405],
    [
      "a form from elsewhere",
      () => site.fetch("/login", { method: "POST", headers: { Origin: "https://evil.example" } }),
      403,
    ],
    ["a form that is refused", () => site.fetch("/login", { method: "POST", headers: own(), body: "email=x" }), 422],
    ["the manifest of routes", () => site.fetch("/__manifest?paths=%2Flogin&version=x"), 204],
    ["a webhook", () => site.fetch("/webhooks/stripe", { method: "POST", body: "{}" }), 404],
    ["the tunnel", () => site.fetch("/monitoring", { method: "POST", body: "{}" }), 204],
    ["a call of the product", () => site.fetch("/api/v1/openapi.json"), 200],
    ["a call that is refused", () => site.fetch("/api/v1/entitlement"), 401],
    ["the keys of entitlements", () => site.fetch("/.well-known/jwks.json"), 200],
    ["robots.txt", () => site.fetch("/robots.txt"), 200],
    ["a static file", () => site.fetch("/favicon.svg"), 200],
  ];

  test.each(answers)("%s", async (_name, ask, status) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const { headers } = answer;
    expect(headers.get("Strict-Transport-Security")).toContain("max-age=");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("same-origin");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("Content-Security-Policy")).not.toContain("unsafe-inline");
  });

  test("the policy's nonce is a new one each time and stands on every script of the page", async () => {
    const pages = await Promise.all([site.fetch("/login"), site.fetch("/login")]);
    const nonces = pages.map((page) => /'nonce-([^']+)'/.exec(page.headers.get("Content-Security-Policy") ?? "")?.[1]);
    expect(nonces[0]).not.toBe(nonces[1]);
    const html = (await pages[0]?.text()) ?? "";
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script).toContain(`nonce="${nonces[0]}"`);
  });
});

describe("the thirteen routes", () => {
  const open = ["/", "/signup", "/login", "/waitlist"];
  const behind = [
    "/settings",
    pages.account,
    pages.plan,
    pages.preferences,
    "/settings/orders",
    "/settings/referral",
    "/settings/upgrade",
  ];

  test.each(open)("%s answers everybody with a whole page and without asking the database", async (path) => {
    const answer = await site.fetch(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Server-Timing")).toBe('d1;desc="0"');
    expect(await answer.text()).toContain("<h1");
  });

  test.each(behind)("%s leads somebody unknown to sign in and back", async (path) => {
    const answer = await site.fetch(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`/login?redirectTo=${encodeURIComponent(path)}`);
  });

  test("/verify without anything to verify leads to log-in", async () => {
    expect((await site.fetch("/verify")).headers.get("Location")).toBe("/login");
  });

  test.each(["success", "processing", "action", "failed", "cancelled", "expired"])(
    "/payment/%s has a page",
    async (status) => {
      expect((await site.fetch(`/payment/${status}`)).status).toBe(200);
    },
  );

  test.each(["/payment/paid", "/settings/vpn/plan", "/legal/nothing", "/wp-login.php", "/a/b/c", "/monitoring/x"])(
    "%s is 404 with a page",
    async (path) => {
      const visitor = await site.visitor().open(path);
      expect(visitor.status).toBe(404);
      expect(visitor.heading()).toBe("There is nothing here");
    },
  );
});

test("without payment keys paid plans are not on sale yet, and everything else works", async () => {
  const visitor = await site.visitor().open("/");
  expect(visitor.text()).toContain("Not on sale yet");
});

test("health says that the site is ready", async () => {
  const answer = await site.fetch("/healthz");
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
});

describe("the gate", () => {
  test("before sign-up leads everybody to the waitlist and refuses a form that is sent all the same", async () => {
    const gated = await startSite({ stripe: false, vars: { LAUNCH_GATE: "signup" } });
    try {
      const visitor = await gated.visitor().open("/");
      expect(visitor.text()).toContain("Join the waitlist");
      expect(visitor.html).not.toContain('href="/signup?');
      await visitor.open("/signup");
      expect(visitor.heading()).toBe("By invitation, for now");
      await visitor.post({ email: "eager@example.com", terms: "on" });
      expect(visitor.status).toBe(409);
      const database = await gated.database();
      expect(await database.prepare("select count(*) as n from codes").first()).toEqual({ n: 0 });
    } finally {
      await gated.close();
    }
  });

  test("taken away leaves nothing to wait for, and every plan to choose", async () => {
    const open = await startSite({ vars: { LAUNCH_GATE: "none" } });
    try {
      const visitor = await open.visitor().open("/");
      expect(visitor.html).toContain(`/signup?plan=${large.id}`);
      await visitor.open("/waitlist");
      await visitor.post({ email: "late@example.com", intent: "join" });
      expect(visitor.status).toBe(409);
    } finally {
      await open.close();
    }
  });
});

describe("a Worker that isn't configured", () => {
  test("answers 503 to everything, names nothing in public and everything in the log", async () => {
    const bare = await startSite({
      stripe: false,
      vars: { CODE_PEPPER: "", VISIT_SECRET: "", ENTITLEMENT_SIGNING_KEY: "hello" },
    });
    try {
      for (const path of ["/", "/healthz", "/monitoring", "/api/v1/entitlement"]) {
        const answer = await bare.fetch(path);
        expect(answer.status).toBe(503);
        expect(await answer.text()).not.toMatch(/CODE_PEPPER|VISIT_SECRET|ENTITLEMENT_SIGNING_KEY/);
      }
      const said = bare
        .logs()
        .map((line) => JSON.stringify(line))
        .join("\n");
      expect(said).toMatch(/CODE_PEPPER is missing; VISIT_SECRET is missing/);
      expect(said).toMatch(/ENTITLEMENT_SIGNING_KEY is not a private Ed25519 JWK/);
    } finally {
      await bare.close();
    }
  });

  test("refuses local values under an https origin", async () => {
    const bare = await startSite({ stripe: false, vars: { PUBLIC_ORIGIN: "https://foyer.example" } });
    try {
      expect((await bare.fetch("/")).status).toBe(503);
    } finally {
      await bare.close();
    }
  });

  test("with a database that isn't migrated says which command to run", async () => {
    const bare = await startSite({ stripe: false, migrate: false });
    try {
      const answer = await bare.fetch("/");
      expect(answer.status).toBe(503);
      expect(await answer.text()).toContain("npx wrangler d1 migrations apply DB --local");
    } finally {
      await bare.close();
    }
  });
});
