import { expect, test } from "vitest";
import { plainPagesMessages } from "#app/plain-pages.messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { signupMessages } from "#app/routes/signup/messages.ts";
import { chromium, site, useSiteAndBrowser } from "#tests/browser/support/shared-site.ts";
import { open } from "#tests/browser/support/steps.ts";

useSiteAndBrowser({ stripe: false });

const { title } = plainPagesMessages.en.maintenance;

test("a link on a page that is open during maintenance leads to the maintenance page, and there again to its own", async () => {
  const browsing = await chromium.newPage();
  const page = await open(browsing, `${site.origin}/login?redirectTo=%2Fsettings`);
  await site.setMaintenance("on");
  await page.getByRole("link", { name: rootMessages.en.signUp }).first().click();
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/signup");
  await site.setMaintenance("");
  await page.reload();
  await page.getByRole("heading", { level: 1, name: signupMessages.en.title }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: loginMessages.en.title }).waitFor();
  expect(new URL(page.url()).search).toBe("?redirectTo=%2Fsettings");
  await browsing.context.close();
});

test("a form that is sent during maintenance stays filled in, says so, and can be sent afterwards", async () => {
  const browsing = await chromium.newPage();
  const page = await open(browsing, `${site.origin}/login`);
  const field = page.getByLabel(loginMessages.en.email);
  await field.fill("mara@example.com");
  await site.setMaintenance("on");
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  const notice = page.getByRole("alert");
  await notice.getByRole("heading", { name: title }).waitFor();
  expect(await notice.innerText()).toContain(rootMessages.en.unavailable.text);
  expect(await field.inputValue()).toBe("mara@example.com");
  await site.setMaintenance("");
  await page.getByRole("button", { name: loginMessages.en.submit }).click();
  await page.waitForURL("**/verify?*");
  await browsing.context.close();
});
