import { beforeEach, describe, expect, test } from "vitest";
import { type CachedPages, withPageCache } from "#workers/page-cache.ts";

let at = Date.UTC(2026, 10, 20);
let rendered = 0;
let version = "";
let isolate: CachedPages = new Map();
let background: Promise<unknown>[] = [];
const origin = "https://site.example";

/** Each test is a version of its own, which nothing was cached for so far. */
beforeEach(() => {
  at += 120_000;
  rendered = 0;
  version = crypto.randomUUID();
  startIsolate();
});

function startIsolate(): void {
  isolate = new Map();
}

type Other = { cache?: Pick<Cache, "match" | "put"> };

async function ask(
  path: string,
  init: RequestInit = {},
  { status = 200, headers = {}, cache = caches.default }: ResponseInit & Other = {},
) {
  rendered += 1;
  const nonce = `nonce${rendered}of${version.replaceAll("-", "")}`;
  let isRendered = false;
  const render = async () => {
    isRendered = true;
    const html = `<p>${at}</p><script nonce="${nonce}"></script><script nonce="${nonce}"></script>`;
    const policy = { "Content-Security-Policy": `script-src 'nonce-${nonce}' 'strict-dynamic'` };
    return new Response(html, { status, headers: { ...headers, ...policy } });
  };
  const later = (work: Promise<unknown>) => void background.push(work);
  const deps = { clock: () => at, nonce, pages: isolate, cache, version, later };
  const answer = await withPageCache(deps, new Request(origin + path, init), render);
  await Promise.all(background);
  background = [];
  const [, policy = "none"] = /'nonce-(\w+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "") ?? [];
  return { answer, isRendered, nonce: policy, html: await answer.clone().text() };
}

describe("a public page", () => {
  test("is rendered once a minute, and each answer has a new nonce in all places", async () => {
    const first = await ask("/", {}, { headers: { "Content-Type": "text/html" } });
    at += 59_999;
    const second = await ask("/");
    expect([first.isRendered, second.isRendered]).toEqual([true, false]);
    expect(second.html).toBe(first.html.replaceAll(first.nonce, second.nonce));
    expect(second.html.split(`nonce="${second.nonce}"`)).toHaveLength(3);
    expect(second.nonce).not.toBe((await ask("/")).nonce);
    expect(second.answer.headers.get("Content-Type")).toBe("text/html");
    at += 1;
    const third = await ask("/");
    expect([third.isRendered, third.html.includes(`<p>${at}</p>`)]).toEqual([true, true]);
  });

  test.each([
    ["with a cookie", "/", { headers: { Cookie: "__Host-theme=dark" } }],
    ["with a query", "/?ref=abcdefgh", {}],
    ["by HEAD", "/", { method: "HEAD" }],
    ["by POST", "/", { method: "POST" }],
    ["at an address that isn't one of them", "/login", {}],
  ])("is rendered for a request %s, and not cached for the next one", async (_, path, init) => {
    expect((await ask(path, init)).isRendered).toBe(true);
    expect((await ask(path, init)).isRendered).toBe(true);
    expect((await ask("/")).isRendered).toBe(true);
    expect((await ask(path, init)).isRendered).toBe(true);
  });

  test.each([
    ["that broke", { status: 500 }],
    ["that isn't there", { status: 404 }],
    ["that sets a cookie", { headers: { "Set-Cookie": "__Host-visit=1" } }],
  ])("%s isn't cached", async (_, answer) => {
    await ask("/", {}, answer);
    expect((await ask("/", {}, answer)).isRendered).toBe(true);
    startIsolate();
    expect((await ask("/")).isRendered).toBe(true);
  });

  test("is cached under its own address", async () => {
    await ask("/");
    expect((await ask("/legal/terms")).isRendered).toBe(true);
    expect((await ask("/legal/terms")).isRendered).toBe(false);
    startIsolate();
    expect((await ask("/legal/terms")).isRendered).toBe(false);
    expect((await ask("/legal/privacy")).isRendered).toBe(true);
  });
});

describe("another isolate", () => {
  const policy = { "Content-Type": "text/html", "Cache-Control": "no-cache", "X-Frame-Options": "DENY" };

  test("takes the page from the Cache API, with its headers and a nonce of its own, for the rest of the minute", async () => {
    const first = await ask("/", {}, { headers: policy });
    at += 40_000;
    startIsolate();
    const second = await ask("/");
    expect([first.isRendered, second.isRendered]).toEqual([true, false]);
    expect(second.html).toBe(first.html.replaceAll(first.nonce, second.nonce));
    const withoutNonces = [first, second].map(({ answer, nonce }) =>
      [...answer.headers].map(([name, value]) => [name, value.replace(nonce, "")]),
    );
    expect(withoutNonces[1]).toEqual(withoutNonces[0]);
    expect(Object.fromEntries(second.answer.headers)).toMatchObject({ "cache-control": "no-cache" });
    at += 19_999;
    expect((await ask("/")).isRendered).toBe(false);
    at += 1;
    expect((await ask("/")).isRendered).toBe(true);
  });

  test("finds nothing of another version", async () => {
    await ask("/");
    version = crypto.randomUUID();
    startIsolate();
    expect((await ask("/")).isRendered).toBe(true);
  });

  test("finds no nonce in what is stored, and a copy that lasts a minute", async () => {
    const first = await ask("/", {}, { headers: policy });
    const stored = await caches.default.match(`${origin}/page-cache/${version}/`);
    expect(stored?.headers.get("Cache-Control")).toBe("max-age=60");
    const text = (await stored?.text()) ?? "";
    expect(text).toContain("<script nonce=");
    expect(text).not.toContain(first.nonce);
  });

  test.each([
    ["fails", () => Promise.reject(new Error("down"))],
    ["throws", () => raise()],
    ["has something else", () => Promise.resolve(new Response("<html>"))],
    ["has no page, as on workers.dev", () => Promise.resolve(undefined)],
  ])("renders the page when the Cache API %s", async (_, fails) => {
    const cache = { match: fails, put: fails as () => Promise<never> };
    expect((await ask("/", {}, { cache })).answer.status).toBe(200);
    expect((await ask("/", {}, { cache })).isRendered).toBe(false);
    startIsolate();
    expect((await ask("/", {}, { cache })).isRendered).toBe(true);
  });
});

function raise(): never {
  throw new Error("down");
}
