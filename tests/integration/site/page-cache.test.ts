import { describe, expect, test } from "vitest";
import { withPageCache } from "#workers/page-cache.ts";

let at = Date.UTC(2026, 10, 20);
let rendered = 0;
const origin = "https://site.example";

/** Each test begins two minutes after the one before: cached pages have expired. */
function later(): void {
  at += 120_000;
  rendered = 0;
}

async function ask(path: string, init: RequestInit = {}, { status = 200, headers = {} }: ResponseInit = {}) {
  rendered += 1;
  const nonce = `nonce${rendered}`;
  let isRendered = false;
  const render = async () => {
    isRendered = true;
    const html = `<p>${at}</p><script nonce="${nonce}"></script><script nonce="${nonce}"></script>`;
    const policy = { "Content-Security-Policy": `script-src 'nonce-${nonce}' 'strict-dynamic'` };
    return new Response(html, { status, headers: { ...headers, ...policy } });
  };
  const answer = await withPageCache({ clock: () => at, nonce }, new Request(origin + path, init), render);
  const [, policy = "none"] = /'nonce-(\w+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "") ?? [];
  return { answer, isRendered, nonce: policy, html: await answer.clone().text() };
}

describe("a public page", () => {
  test("is rendered once a minute, and each answer has a new nonce in all places", async () => {
    later();
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
    later();
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
    later();
    await ask("/", {}, answer);
    expect((await ask("/")).isRendered).toBe(true);
  });

  test("is cached under its own address", async () => {
    later();
    await ask("/");
    expect((await ask("/legal/terms")).isRendered).toBe(true);
    expect((await ask("/legal/terms")).isRendered).toBe(false);
  });
});
