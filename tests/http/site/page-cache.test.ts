import { expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { landingMessages } from "#app/product/landing/messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { roundAmount } from "#tests/support/billing/catalogue.ts";

const site = useSite({ stripe: false });

/** Its cookie is unknown, and its browser and network are not the tests' own. */
const otherVisitor = {
  Cookie: "nothing=1",
  "User-Agent": "another",
  "Accept-Language": "fr",
  "CF-Connecting-IP": "203.0.113.9",
  "CF-IPCountry": "FR",
};

async function renderedFor(headers: Record<string, string> = {}, path = "/") {
  const answer = await site.fetch(path, { headers });
  const [, nonce = "none"] = /'nonce-([^']+)'/.exec(answer.headers.get("Content-Security-Policy") ?? "") ?? [];
  return { nonce, html: await answer.text(), trips: answer.headers.get("Server-Timing") };
}

test.each(["/", "/legal/terms", "/legal/privacy", "/legal/imprint"])(
  "%s is the same for another visitor after it is rendered again, except for the nonce, which differs in each answer",
  async (path) => {
    await renderedFor({}, path);
    const [first, rendered] = [await renderedFor({}, path), await renderedFor(otherVisitor, path)];
    expect(rendered.html).toBe(first.html.replaceAll(first.nonce, rendered.nonce));
    const second = await renderedFor({}, path);
    expect(second.nonce).not.toBe(first.nonce);
    expect(second.html).not.toContain(first.nonce);
    expect(second.html).toBe(first.html.replaceAll(first.nonce, second.nonce));
    const scripts = second.html.match(/<script(?! type="application)[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((tag) => !tag.includes(`nonce="${second.nonce}"`))).toEqual([]);
    expect(second.trips).toBe('d1;desc="0", d1-in-a-row;desc="0"');
  },
);

test("a visitor who is signed in, has chosen a theme or uses a referral link gets their own page, and others don't get it", async () => {
  const { signOut } = rootMessages.en;
  const { friendDiscountMinor, attributionDays } = product.referral;
  const invited = landingMessages.en.friend(roundAmount(friendDiscountMinor), attributionDays);
  const visitor = await signUp(site, "mara.lindqvist@example.com", "");
  await visitor.open("/settings/referral");
  const [, link = "none"] = /\?ref=(\w+)/.exec(visitor.html) ?? [];
  await renderedFor();
  await visitor.open("/");
  expect(visitor.text()).toContain(signOut);
  expect((await renderedFor({ Cookie: "__Host-theme=dark" })).html).toContain('data-theme="dark"');
  expect((await site.visitor().open(`/?ref=${link}`)).text()).toContain(invited);
  const { html } = await renderedFor();
  expect([html.includes(signOut), html.includes("data-theme"), html.includes(invited)]).toEqual([false, false, false]);
});

test("another version of the Worker doesn't serve the page that the one before had cached", async () => {
  const withoutNonce = ({ html, nonce }: { html: string; nonce: string }) => html.replaceAll(nonce, "");
  const [before, cached] = [await renderedFor(), await renderedFor()];
  expect(withoutNonce(cached)).toBe(withoutNonce(before));
  await site.setGate("none");
  const [after, rendered] = [await renderedFor(), await renderedFor(otherVisitor)];
  expect(withoutNonce(after)).not.toBe(withoutNonce(before));
  expect(withoutNonce(after)).toBe(withoutNonce(rendered));
  await site.setGate(null);
});
