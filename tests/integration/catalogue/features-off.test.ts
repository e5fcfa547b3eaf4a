import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import { appContext, type SignedIn, signedInContext } from "#app/http/request/contexts.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { siteFacts } from "#app/http/page/site-facts.ts";
import * as legal from "#app/routes/legal/route.tsx";
import * as settings from "#app/routes/settings/layout.tsx";
import * as sitemap from "#app/routes/sitemap/route.ts";
import type { Feature } from "#app/feature.ts";
import { features, gatePages } from "#app/features.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { featureSamples } from "#tests/support/features.ts";
import { type TestApp, testApp } from "#tests/support/site/worker-app.ts";

const config: ProductConfig = testApp().product;
const changed = (product: Partial<ProductConfig>, more: Partial<TestApp> = {}) =>
  testApp({ product: { ...config, ...product }, ...more });

/** What the framework passes to a loader, as far as these read it. */
function contextOf(app: TestApp) {
  const context = new RouterContextProvider(new Map<unknown, unknown>([[appContext, app]]) as never);
  const viewer = { account: { state: "active", locale: "en", timeZone: "UTC" }, due: null };
  context.set(signedInContext, { accountId: "acc_any", viewer: Promise.resolve(viewer) } as unknown as SignedIn);
  return { context } as never;
}

/** Where the menu of the settings, the sitemap and the footer lead. */
async function linksOf(app: TestApp) {
  const { menu } = await settings.loader(contextOf(app));
  const { hasWithdrawal } = siteFacts(app, new Request(app.origin));
  const listed = await sitemap.loader(contextOf(app)).text();
  return {
    menu: menu.flatMap(({ links }) => links.map(({ to }) => to)),
    sitemap: [...listed.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname),
    footer: { hasWithdrawal },
  };
}

const pagesOf = (of: readonly Feature[]) =>
  of.flatMap(({ settingsPages = [] }) => settingsPages.map(({ path }) => segmentPath(config, path)));

test.each<[string, Partial<ProductConfig>, string[]]>([
  ["the referral program is off", { referral: { ...config.referral, state: "off" as const } }, ["/settings/referral"]],
  ...features.map((feature): [string, Partial<ProductConfig>, string[]] => {
    const off = featureSamples.find(({ name }) => name === feature.name)?.off ?? {};
    const needing = features.filter(({ needs = [] }) => needs.includes(feature.name));
    return [`${feature.name} are off`, off, pagesOf([feature, ...needing])];
  }),
])("while %s, the menu has no link to that page", async (_what, product, absent) => {
  const on = (await linksOf(testApp())).menu;
  expect(on).toEqual(expect.arrayContaining(absent));
  expect((await linksOf(changed(product))).menu).toEqual(on.filter((path) => !absent.includes(path)));
});

test("without a gate, the sitemap has no page to wait at", async () => {
  const [on, off] = [await linksOf(testApp()), await linksOf(changed({}, { gate: { kind: "none" } }))];
  const { path: waiting } = gatePages();
  expect(on.sitemap).toContain(waiting);
  expect(off.sitemap).toEqual(on.sitemap.filter((path) => path !== waiting));
});

test("without a withdrawal period, neither links to its page", async () => {
  const [on, off] = [await linksOf(changed({ withdrawalDays: 14 })), await linksOf(changed({ withdrawalDays: "off" }))];
  expect(on.sitemap).toContain("/withdraw");
  expect(off.sitemap).toEqual(on.sitemap.filter((path) => path !== "/withdraw"));
  expect([on.footer.hasWithdrawal, off.footer.hasWithdrawal]).toEqual([true, false]);
});

test("the privacy notice names the receiver of error reports, if any, by the config's name, otherwise by its host", async () => {
  const diagnostics = { dsn: "https://key@errors.example/42", environment: "", release: "", tracesSampleRate: 0 };
  const named = async (more: Partial<TestApp>, errorReceiver: string | null) => {
    const args = contextOf(changed({ errorReceiver }, more)) as { context: unknown };
    return (await legal.loader({ ...args, params: { page: "privacy" } } as never)).facts.errorReceiver;
  };
  expect(await named({ diagnostics: null }, "Gannet Inc.")).toBeNull();
  expect(await named({ diagnostics }, "Gannet Inc.")).toBe("Gannet Inc.");
  expect(await named({ diagnostics }, null)).toBe("errors.example");
});
