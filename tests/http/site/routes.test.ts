import { publicPages } from "#tests/support/site/addresses.ts";
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { features, gatePages } from "#app/features.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { product } from "#app/product/config.ts";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { operatorToken } from "#tests/support/clients/operator-driver.ts";
import { large, pages } from "#tests/support/billing/catalogue.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const site = useSite({ stripe: false });

describe("the thirteen routes", () => {
  const open = ["/", "/signup", "/login", ...publicPages()];
  const behind = [
    "/settings",
    pages.account,
    pages.plan,
    ...features.flatMap(({ settingsPages = [] }) => settingsPages.map(({ path }) => segmentPath(product, path))),
    "/settings/orders",
    "/settings/referral",
    "/settings/upgrade",
  ];

  test.each(open)("answer a visitor at %s with a complete page and without reading the database", async (path) => {
    const answer = await site.fetch(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Server-Timing")).toBe('d1;desc="0", d1-in-a-row;desc="0"');
    expect(await answer.text()).toContain("<h1");
  });

  test.each(behind)("redirect a visitor from %s to sign in and back", async (path) => {
    const answer = await site.fetch(path);
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`/login?redirectTo=${encodeURIComponent(path)}`);
  });

  test("redirect from /verify without a pending code to log-in", async () => {
    expect((await site.fetch("/verify")).headers.get("Location")).toBe("/login");
  });

  test.each(["success", "processing", "action", "failed", "cancelled", "expired"])(
    "include /payment/%s",
    async (status) => {
      expect((await site.fetch(`/payment/${status}`)).status).toBe(200);
    },
  );

  test.each([
    "/payment/paid",
    "/settings/vpn/plan",
    "/legal/nothing",
    "/wp-login.php",
    "/a/b/c",
    "/monitoring/x",
    "/assets/",
    "/.git/HEAD",
    "/.dev.vars",
    "/wrangler.json",
  ])("are the only ones: %s is 404 with a page", async (path) => {
    const visitor = await site.visitor().open(path);
    expect(visitor.status).toBe(404);
    expect(visitor.heading()).toBe(rootMessages.en.missing.title);
  });
});

test("without payment keys, paid plans aren't on sale yet, and everything else works", async () => {
  const visitor = await site.visitor().open("/");
  expect(visitor.text()).toContain(landingMessages.en.plans.notOnSale);
});

describe("the health check", () => {
  const ask = (token: string) => site.fetch("/healthz", { headers: { Authorization: `Bearer ${token}` } });

  test("reports that the site is ready", async () => {
    const answer = await site.fetch("/healthz");
    expect([answer.status, await answer.json()]).toEqual([200, { status: "ok" }]);
  });

  test("reports to operators how the site runs, and remembers the cron job's newest run", async () => {
    const before = await ask(operatorToken);
    expect(await before.json()).toMatchObject({ status: "ok", cron: { lastRunAt: null, failedJobs: [] } });
    await site.runCron(Date.UTC(2026, 10, 20, 12));
    const answer = await ask(operatorToken);
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(await answer.json()).toMatchObject({
      cron: { lastRunAt: "2026-11-20T12:00:00.000Z", failedJobs: [] },
      newestMigration: expect.stringMatching(/^\d{4}_\w+\.sql$/),
      stripe: "off",
      weakSecrets: ["CODE_PEPPER", "VISIT_SECRET", "OPERATOR_TOKEN"],
    });
  });

  test.each(["", "wrong", `${operatorToken}x`])("refuses the token %j and reports nothing", async (token) => {
    const answer = await ask(token);
    expect([answer.status, await answer.json()]).toEqual([401, { status: "token-refused" }]);
  });
});

describe("the gate", () => {
  test("before sign-up leads visitors to where one waits, and refuses a form that is sent anyway", async () => {
    const gated = await startSite({ stripe: false, vars: { LAUNCH_GATE: "signup" } });
    try {
      const visitor = await gated.visitor().open("/");
      expect(visitor.text()).toContain(gatePages().messages.en.landing.join);
      expect(visitor.html).not.toContain('href="/signup?');
      await visitor.open("/signup");
      expect(visitor.heading()).toBe(gatePages().messages.en.signUp.shut.title);
      await visitor.post({ email: "eager@example.com", terms: "on" });
      expect(visitor.status).toBe(409);
      const database = await gated.database();
      expect(await database.prepare("select count(*) as n from codes").first()).toEqual({ n: 0 });
    } finally {
      await gated.close();
    }
  });

  test("that was removed leaves nothing to wait for, and every plan can be chosen", async () => {
    const open = await startSite({ vars: { LAUNCH_GATE: "none" } });
    try {
      const visitor = await open.visitor().open("/");
      expect(visitor.html).toContain(`/signup?plan=${large.id}`);
      await visitor.open(gatePages().path);
      await visitor.post({ email: "late@example.com", intent: "join" });
      expect(visitor.status).toBe(409);
    } finally {
      await open.close();
    }
  });
});

describe("a Worker that isn't configured", () => {
  test("answers 503 to everything, with names only on the home page and the reasons in the log", async () => {
    const bare = await startSite({
      stripe: false,
      vars: { CODE_PEPPER: "", VISIT_SECRET: "", ENTITLEMENT_SIGNING_KEY: "hello" },
    });
    try {
      const home = await bare.fetch("/");
      const shown = await home.text();
      expect(home.status).toBe(503);
      for (const name of ["CODE_PEPPER", "VISIT_SECRET", "ENTITLEMENT_SIGNING_KEY"]) expect(shown).toContain(name);
      expect(shown).not.toMatch(/hello|JWK/);
      for (const path of ["/login", "/healthz", "/monitoring", "/api/v1/entitlement"]) {
        const answer = await bare.fetch(path);
        expect(answer.status).toBe(503);
        expect(await answer.text()).not.toMatch(/CODE_PEPPER|VISIT_SECRET|ENTITLEMENT_SIGNING_KEY/);
      }
      const logged = bare
        .logs()
        .map((line) => JSON.stringify(line))
        .join("\n");
      expect(logged).toMatch(/CODE_PEPPER is missing; VISIT_SECRET is missing/);
      expect(logged).toMatch(/ENTITLEMENT_SIGNING_KEY is not a private Ed25519 JWK/);
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

describe("over plain HTTP,", () => {
  /** As deployed, at an https address; here its host is that of the loopback. */
  const deployed = {
    PUBLIC_ORIGIN: "https://127.0.0.1",
    CODE_PEPPER: "a-pepper-of-this-test-alone-32-letters",
    VISIT_SECRET: "a-secret-of-this-test-alone-32-letters",
    ENTITLEMENT_SIGNING_KEY: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
    OPERATOR_TOKEN: "",
    CLOCK_OFFSET_SECONDS: "",
  };

  test("a visit is redirected to the https address, and a call or a form is refused", async () => {
    const open = await startSite({ stripe: false, vars: deployed });
    try {
      for (const path of ["/login?plan=x", "/settings.data", "/healthz", "//evil.example/a"]) {
        const answer = await open.fetch(path);
        expect([path, answer.status, answer.headers.get("Location")]).toEqual([path, 301, `https://127.0.0.1${path}`]);
      }
      const calls = ["/api/v1/openapi.json", "/api/operator/numbers", "/monitoring"].map(
        (path) => [path, "GET"] as const,
      );
      const forms = ["/login", "/monitoring", "/webhooks/stripe", "/api/v1/devices"].map(
        (path) => [path, "POST"] as const,
      );
      for (const [path, method] of [...calls, ...forms]) {
        const answer = await open.fetch(path, { method, headers: { Authorization: "Bearer x" } });
        expect([path, method, answer.status]).toEqual([path, method, 403]);
        expect(await answer.text()).toContain(plainPagesMessages.en.plainHttp.title);
      }
    } finally {
      await open.close();
    }
  });
});
