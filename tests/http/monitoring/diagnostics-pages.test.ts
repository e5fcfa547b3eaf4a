import { publicPages } from "#tests/support/site/addresses.ts";
import { UNSAFE_decodeViaTurboStream as decodeData } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VIOLATIONS_PATH } from "#workers/monitoring/constants.ts";
import { small } from "#tests/support/billing/catalogue.ts";
import { useReceiver } from "#tests/support/monitoring/sentry-receiver.ts";
import { type Site, startSite } from "#tests/support/site/site.ts";

/**
 * Pages are the same with diagnostics off, and with a receiver that is dead or never answers. In Chromium:
 * tests/browser.
 */
const receiver = useReceiver();
let off: Site;
let on: Site;

beforeAll(async () => {
  receiver.behave({ kind: "hang" });
  const start = (dsn: string) =>
    startSite({ stripe: false, vars: { SENTRY_DSN: dsn, SENTRY_TRACES_SAMPLE_RATE: "1" } });
  [off, on] = await Promise.all([start(""), start(receiver.dsn)]);
});
afterAll(() => Promise.all([off.close(), on.close()]));

type Page = { status: number; headers: [string, string][]; html: string };
type RootData = { diagnostics: unknown; referenceId: string };

const REPORTING = `; report-uri ${VIOLATIONS_PATH}; report-to policy`;

/**
 * As it came, without what is new in each answer (nonce, reference id, date, own port), and without the data, which
 * follow.
 */
async function openPage(site: Site, path: string): Promise<Page> {
  const answer = await site.fetch(path);
  const html = await answer.text();
  const nonce = / nonce="([^"]+)"/.exec(html)?.[1] ?? "no nonce";
  const { host } = new URL(site.origin);
  const plain = (text: string) =>
    text.replaceAll(nonce, "[nonce]").replaceAll(site.origin, "[origin]").replaceAll(host, "[host]");
  const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "content-length");
  // Where policy reports go is named while there is a receiver, and by two headers alone.
  const reportless = headers
    .filter(([name]) => name !== "reporting-endpoints")
    .map(([name, value]): [string, string] => [name, value.replace(REPORTING, "")]);
  return {
    status: answer.status,
    headers: reportless.map(([name, value]) => [name, plain(value)]),
    html: plain(html).replaceAll(
      /<script[^>]*>window\.__reactRouterContext\.streamController\.enqueue.*?<\/script>/gs,
      "[data]",
    ),
  };
}

async function loadData(site: Site, path: string): Promise<Record<string, { data: RootData }>> {
  const { body } = await site.fetch(path);
  if (!body) throw new Error(`${path} has no data`);
  const decoded = await decodeData(body, globalThis as never);
  await decoded.done;
  return decoded.value as Record<string, { data: RootData }>;
}

describe.each(["never answers", "is not there"])("with a receiver that %s", (state) => {
  beforeAll(async () => {
    if (state === "is not there") await receiver.close();
  });

  // With a query: without one it may come from the page cache.
  const paths = [
    "/?uncached",
    `/signup?plan=${small.id}&interval=month`,
    "/login",
    ...publicPages(),
    "/legal/terms?uncached",
    "/payment/success",
  ];
  test.each([...paths, "/nothing"])(
    "%s is byte for byte the same as with diagnostics off, except for its data and the policy's report address",
    async (path) => {
      const [without, page] = await Promise.all([openPage(off, path), openPage(on, path)]);
      expect(without.html).toContain("<h1");
      expect(without.html).toContain("[data]");
      expect(page).toEqual(without);
    },
  );

  /** What differs from one time to the next: the site's own address, and a passkey's challenge. */
  const ownEachTime = /http:\/\/127\.0\.0\.1:\d+|"challenge":"[^"]+"/g;

  test("the data of a page differs only by the settings of the SDK", async () => {
    const [without, page] = await Promise.all([loadData(off, "/login.data"), loadData(on, "/login.data")]);
    const settings = page["root"]?.data.diagnostics;
    expect(settings).toEqual({ dsn: receiver.dsn, environment: "local", release: "", tracesSampleRate: 1 });
    expect(without["root"]?.data.diagnostics).toBe(null);
    const same = (data: typeof page) => {
      const root = { data: { ...data["root"]?.data, diagnostics: null, referenceId: "" } };
      return JSON.stringify({ ...data, root }).replaceAll(ownEachTime, "[own]");
    };
    expect(same(page)).toEqual(same(without));
  });
});
