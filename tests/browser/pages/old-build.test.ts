import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { codeField, fillSignUp, open, signUp, withBrowser } from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

/**
 * From now on the site is of another build than the page: the site has none of the files that the page goes on to ask for. What is loaded
 * as a document is of the site's build again. Returns the documents that were loaded, and the forms that were sent.
 */
async function deploy(page: Page): Promise<{ documents: string[]; posts: string[] }> {
  const seen: { documents: string[]; posts: string[] } = { documents: [], posts: [] };
  page.on("request", (request) => {
    const path = new URL(request.url()).pathname;
    if (request.isNavigationRequest()) seen.documents.push(path);
    if (request.method() === "POST") seen.posts.push(path);
  });
  await page.route(/\/assets\/[^?]*\.js$/, async (route) => {
    if (seen.documents.length > 0) return route.continue();
    const gone = route
      .request()
      .url()
      .replace(/[\w-]{8}\.js$/, "replaced.js");
    return route.fulfill({ response: await route.fetch({ url: gone }) });
  });
  return seen;
}

describe("a tab that was open before a deployment", () => {
  test("loads the page of a click, once, also on a slow device", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, site.origin);
      const { documents } = await deploy(page);
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: 40 });
      await page.getByRole("banner").getByRole("link", { name: rootMessages.en.signIn }).click();
      await page.waitForURL(`${site.origin}/login`);
      await browsing.alive();
      await page.getByRole("heading", { name: loginMessages.en.title }).waitFor();
      await page.getByLabel(loginMessages.en.email).fill("mara@example.com");
      expect(documents).toEqual(["/login"]);
    });
  });

  test("loads the page that a sent form leads to, and sends the form once", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, `${site.origin}/signup`);
      await fillSignUp(page, "deployed@example.com");
      const { documents, posts } = await deploy(page);
      await page.getByRole("button", { name: signupMessages.en.submit }).click();
      await page.waitForURL("**/verify?request=*");
      await codeField(page).waitFor();
      await browsing.alive();
      expect([documents, posts]).toEqual([["/verify"], ["/signup.data"]]);
      expect(await site.emailsTo("deployed@example.com")).toHaveLength(1);
    });
  });

  test("sends a form of a page that it hasn't loaded yet as a document", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await signUp(browsing, site, "leaving@example.com");
      const page = await open(browsing, `${site.origin}/settings/orders`);
      await deploy(page);
      await page.getByRole("banner").getByRole("button", { name: rootMessages.en.signOut }).click();
      await page.getByText(flashMessages.en["signed-out"]).waitFor();
      await open(browsing, `${site.origin}/settings/security`);
      await page.getByRole("heading", { name: loginMessages.en.title }).waitFor();
      expect(await page.getByText(securityMessages.en.lead).count()).toBe(0);
    });
  });
});
