import { describe, expect, test } from "vitest";
import { testModeMessages } from "#app/modules/email/messages/test-mode.messages.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";

const vars = { STRIPE_SECRET_KEY: "sk_test_of_this_test", STRIPE_WEBHOOK_SECRET: "whsec_of_this_test" };
useSiteAndBrowser({ stripe: false, vars });

describe("the banner of Stripe's test mode", () => {
  test.each([
    ["light", true],
    ["light", false],
    ["dark", true],
    ["dark", false],
  ] as const)("fits 320 pixels in %s, with scripts: %s", async (colorScheme, javaScript) => {
    const viewport = { width: 320, height: 640 };
    const { page, troubles, alive } = await chromium.newPage({ colorScheme, javaScript, viewport });
    for (const path of ["/", "/login", "/nothing-here"]) {
      await page.goto(site.origin + path);
      await alive();
      const banner = page.getByRole("complementary").filter({ hasText: testModeMessages.en.text });
      await banner.waitFor();
      const box = await banner.boundingBox();
      expect(box).toMatchObject({ x: 0, width: 320 });
      const seen = await page.locator("html").boundingBox();
      expect([path, seen?.width]).toEqual([path, 320]);
    }
    expect(troubles.filter(({ status }) => status !== 404)).toEqual([]);
  });
});
