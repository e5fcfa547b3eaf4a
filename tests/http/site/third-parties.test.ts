import { publicPages } from "#tests/support/site/addresses.ts";
import { describe, expect, test } from "vitest";
import type { ThirdParty } from "#app/modules/catalogue/third-parties.rules.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const about = { purpose: "Counts visits.", privacyUrl: "https://skua.example/privacy", stores: [] };
const counting: ThirdParty = {
  ...about,
  name: "Skua Analytics",
  scripts: [{ src: "https://skua.example/s.js", attributes: { "data-domain": "site.example" } }],
  inline: "window.skua = []",
  stylesheets: ["https://fonts.skua.example/a.css"],
  policy: { "connect-src": ["https://in.skua.example"], "font-src": ["https://files.skua.example"] },
};
const chat: ThirdParty = {
  ...about,
  name: "Petrel Chat",
  pages: "account",
  scripts: [{ src: "https://petrel.example/chat.js" }],
  policy: { "frame-src": ["https://petrel.example"] },
};

const plain = useSite({ stripe: false });
const site = useSite({ stripe: false, thirdParties: [counting, chat] });

type Seen = { policy: string; tags: string[]; nonce: string; text: string };

async function seen(path: string, headers: Record<string, string> = {}, at = site): Promise<Seen> {
  const answer = await at.fetch(path, { headers });
  const policy = answer.headers.get("Content-Security-Policy") ?? "";
  const nonce = /'nonce-(\w+)'/.exec(policy)?.[1] ?? "none";
  const text = await answer.text();
  const tags = [...text.matchAll(/<(?:script|link)\b[^>]*(?:skua|petrel|data-third-party)[^>]*>/g)].map(([tag]) => tag);
  return { policy: policy.replaceAll(nonce, "N"), tags: tags.map((tag) => tag.replaceAll(nonce, "N")), nonce, text };
}

/** What the plain site's policy for the same page is turned into. */
const widened = (policy: string) =>
  policy
    .replace("style-src 'self'", "style-src 'self' https://fonts.skua.example")
    .replace("font-src 'self'", "font-src 'self' https://files.skua.example")
    .replace("connect-src 'self'", "connect-src 'self' https://in.skua.example; frame-src https://petrel.example");
const onlyChat = (policy: string) =>
  policy.replace("connect-src 'self'", "connect-src 'self'; frame-src https://petrel.example");

const chatTag = '<script nonce="N" data-third-party src="https://petrel.example/chat.js" defer>';
const allTags = [
  '<link rel="stylesheet" href="https://fonts.skua.example/a.css">',
  '<script nonce="N" data-third-party>',
  '<script nonce="N" data-third-party src="https://skua.example/s.js" defer data-domain="site.example">',
  chatTag,
];

describe("declared third-party services", () => {
  test.each(["/", "/legal/terms", "/legal/privacy"])(
    "are on %s with their origins in its policy, also from the page cache, each time with the response's nonce",
    async (path) => {
      const without = await seen(path, {}, plain);
      expect(without.tags).toEqual([]);
      const [first, second] = [await seen(path), await seen(path)];
      for (const page of [first, second]) {
        expect(page.tags).toEqual(allTags);
        expect(page.policy).toBe(widened(without.policy));
      }
      expect(second.nonce).not.toBe(first.nonce);
      expect(second.text).not.toContain(first.nonce);
    },
  );

  test.each([
    "/login",
    "/signup",
    "/verify",
    ...publicPages(),
    "/withdraw",
    "/payment/success",
    "/nothing-here",
    "/favicon.svg",
  ])("aren't on %s, whose policy stays as it is", async (path) => {
    const [page, without] = [await seen(path), await seen(path, {}, plain)];
    expect(page.tags).toEqual([]);
    expect(page.policy).toBe(without.policy);
  });

  test("are on pages of the account, and on public pages of a signed-in user, only if they are declared for it", async () => {
    const customer = await signUp(site, "customer@example.com", "");
    const headers = { Cookie: `__Host-session=${customer.cookies.get("__Host-session")}` };
    const { policy } = await seen("/login", {}, plain);
    for (const path of ["/settings", "/settings/security", "/"]) {
      const page = await seen(path, headers);
      expect([path, page.tags]).toEqual([path, [chatTag]]);
      expect(page.policy).toBe(onlyChat(policy));
    }
  });

  test("are named by the privacy notice, with a link to their own", async () => {
    const { text } = await seen("/legal/privacy");
    for (const { name } of [counting, chat]) expect(text).toContain(name);
    expect(text).toContain('<a href="https://skua.example/privacy">');
    expect((await seen("/legal/privacy", {}, plain)).text).not.toContain("skua");
  });
});
