import { describe, expect, test } from "vitest";
import { product } from "#app/product/config.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { customer } from "#tests/browser/support/visitors.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import {
  type Browsing,
  codeHasLeft,
  fillSignUp,
  mailedCode,
  mailedLink,
  open,
  signUp,
  withBrowser,
} from "#tests/browser/support/steps.ts";

useSiteAndBrowser();

async function askForCode(browsing: Browsing, address: string): Promise<void> {
  const page = await open(browsing, `${site.origin}/signup`);
  await fillSignUp(page, address);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.waitForURL("**/verify**");
  await page.getByLabel("Code").waitFor();
}

/** Earlier emails were sent half a minute earlier; that all were requested from one network doesn't count. */
async function letHalfAMinutePass(): Promise<void> {
  const database = await site.database();
  await database.prepare("update budget_uses set used_at = used_at - 30000").run();
  await database.prepare("delete from budget_uses where id like '%.1'").run();
}

describe("the link in the email", () => {
  test("fills the code in, in the browser that requested it, and only the button uses it up", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await askForCode(browsing, "uma@example.com");
      const link = await mailedLink(site, "uma@example.com", "/verify");
      await open(browsing, link);
      const page = await open(browsing, link);
      expect(await page.getByLabel("Code").inputValue()).toBe(await mailedCode(site, "uma@example.com"));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("shows in another browser the code to type, and changes nothing there", async () => {
    await withBrowser(chromium, {}, async (asking) => {
      await askForCode(asking, "vera@example.com");
      const link = await mailedLink(site, "vera@example.com", "/verify");
      await withBrowser(chromium, { javaScript: false, viewport: { width: 390, height: 844 } }, async (phone) => {
        const page = await open(phone, link);
        const code = await mailedCode(site, "vera@example.com");
        await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).waitFor();
        expect(await page.getByRole("button", { name: /^Continue here with v•+/ }).count()).toBe(1);
        expect(await page.getByLabel("Code").count()).toBe(0);
        expect(await page.content()).not.toContain("vera@example.com");
        expect(phone.troubles).toEqual([]);
        await asking.page.getByLabel("Code").fill(code);
        await asking.page.getByRole("button", { name: "Confirm" }).click();
        await asking.page.waitForURL(`${site.origin}/settings`);
      });
    });
  });

  test.each([{ javaScript: true }, { javaScript: false }])(
    "continues in another browser by 'continue here' with a code of its own (JavaScript: $javaScript)",
    async ({ javaScript }) => {
      const address = `wim-${javaScript}@example.com`;
      await withBrowser(chromium, {}, async (asking) => {
        await customer(site, address);
        await letHalfAMinutePass();
        await open(asking, `${site.origin}/login`);
        await asking.page.getByLabel("E-mail").fill(address);
        await asking.page.getByRole("button", { name: "Send me a code" }).click();
        const link = await mailedLink(site, address, "/verify", 2);
        const code = await mailedCode(site, address, 2);
        await withBrowser(chromium, { javaScript }, async (phone) => {
          const page = await open(phone, link);
          await page.getByRole("button", { name: /^Continue here with w•+/ }).click();
          // Two emails to one address are half a minute apart, for any browser; the page says so, with the code that
          // it showed.
          await page
            .locator(".notice-attention:focus", { hasText: /You can ask for another in \d+ seconds?\./ })
            .waitFor();
          await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).waitFor();
          await letHalfAMinutePass();
          await page.getByRole("button", { name: /^Continue here/ }).click();
          await page.getByLabel("Code").fill(await mailedCode(site, address, 3));
          await page.getByRole("button", { name: "Sign in" }).click();
          await page.waitForURL(`${site.origin}/settings`);
          expect(phone.troubles.map(({ kind, status }) => [kind, status])).toEqual([["refused-request", 429]]);
        });
      });
    },
  );

  test.each([{ javaScript: true }, { javaScript: false }])(
    "to sign up continues in another browser, with its own consent (JavaScript: $javaScript)",
    async ({ javaScript }) => {
      const address = `una-${javaScript}@example.com`;
      await withBrowser(chromium, {}, async (asking) => {
        await askForCode(asking, address);
        const link = await mailedLink(site, address, "/verify");
        await withBrowser(chromium, { javaScript }, async (phone) => {
          const page = await open(phone, link);
          const terms = page.getByRole("checkbox", { name: /terms/i });
          expect(await terms.isChecked()).toBe(false);
          await letHalfAMinutePass();
          await terms.check();
          await page.getByRole("button", { name: /^Continue here with u•+/ }).click();
          await page.getByLabel("Code").fill(await mailedCode(site, address, 2));
          await page.getByRole("button", { name: "Confirm" }).click();
          await page.waitForURL(`${site.origin}/settings`);
          expect(phone.troubles).toEqual([]);
        });
      });
    },
  );

  test("says in another browser that it was used", async () => {
    await withBrowser(chromium, {}, async (asking) => {
      await signUp(asking, site, "ulf@example.com");
      const code = await mailedCode(site, "ulf@example.com");
      const link = await mailedLink(site, "ulf@example.com", "/verify");
      await withBrowser(chromium, {}, async (phone) => {
        const page = await open(phone, link);
        await page.getByRole("heading", { name: "This code has already been used" }).waitFor();
        expect(await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).count()).toBe(0);
        await page.getByRole("link", { name: "Sign in here" }).click();
        await page.waitForURL(`${site.origin}/login`);
        expect(phone.troubles).toEqual([]);
      });
    });
  });
});

test.each([
  { javaScript: true, zone: "Asia/Kolkata" },
  { javaScript: false, zone: product.timeZone },
])(
  "a new account gets the time zone that its browser names, otherwise the config's: $zone",
  async ({ javaScript, zone }) => {
    await withBrowser(chromium, { javaScript, timeZone: "Asia/Kolkata" }, async (browsing) => {
      const address = `zone-${javaScript}@example.com`;
      await signUp(browsing, site, address);
      const database = await site.database();
      const kept = database.prepare("select time_zone from accounts where email = ?").bind(address);
      expect(await kept.first("time_zone")).toBe(zone);
      expect(await browsing.page.getByLabel("Time zone").inputValue()).toBe(zone);
    });
  },
);

describe("while the email is being sent", () => {
  test("the wait for another code counts down and then ends, with JavaScript", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, "xenia@example.com");
      const { page } = browsing;
      // Until then the page asks the server again, whose clock is the real one.
      await codeHasLeft(site, "xenia@example.com");
      await open(browsing, page.url());
      const wait = page.getByText(/You can ask for another code in \d+ s\./).filter({ visible: true });
      const again = page.getByRole("button", { name: verifyMessages.en.resend });
      expect(await again.isDisabled()).toBe(true);
      const before = Number(/(\d+) s/.exec(await wait.innerText())?.[1]);
      expect(before).toBeGreaterThan(20);
      expect(before).toBeLessThanOrEqual(30);
      await page.clock.runFor(5_000);
      expect(Number(/(\d+) s/.exec(await wait.innerText())?.[1])).toBeLessThanOrEqual(before - 5);
      await page.clock.runFor(30_000);
      expect(await wait.count()).toBe(0);
      expect(await again.isEnabled()).toBe(true);
    });
  });

  test("the wait is a sentence without JavaScript, and asking too soon says how long it still is", async () => {
    await withBrowser(chromium, { javaScript: false }, async (browsing) => {
      await askForCode(browsing, "yara@example.com");
      const { page } = browsing;
      expect(await page.getByText(/You can ask for another code in \d+ s\./).count()).toBe(1);
      await page.getByRole("button", { name: "Send another code" }).click();
      await page.locator(".notice-attention:focus", { hasText: /You can ask for another in \d+ s/ }).waitFor();
      expect(browsing.troubles.map(({ kind, status }) => [kind, status])).toEqual([["refused-request", 429]]);
    });
  });
});

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("a refusal that is about no field, $mode", ({ javaScript }) => {
  test("has the focus each time, and replaces the message before it", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, `xaver-${javaScript}@example.com`);
      const { page } = browsing;
      const again = page.getByRole("button", { name: "Send another code" });
      const notice = page.getByText("A new code is on its way.");
      const refused = page.locator(".notice-attention:focus", { hasText: "You can ask for another in" });
      // What the page counts; the site may disagree, and then refuses.
      const countDown = () => page.clock.runFor(31_000);
      await letHalfAMinutePass();
      await countDown();
      await again.click();
      await notice.waitFor();
      for (let time = 0; time < 2; time += 1) {
        await countDown();
        await again.click();
        await refused.waitFor();
        expect(await notice.count()).toBe(0);
        await page.getByLabel("Code").focus();
      }
      await letHalfAMinutePass();
      await countDown();
      await again.click();
      await notice.waitFor();
      expect(await refused.count()).toBe(0);
    });
  });

  test("is announced on other pages, too: it has the focus there, and is read at once", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `xenon-${javaScript}@example.com`;
      const page = await signUp(browsing, site, address);
      await letHalfAMinutePass();
      const phone = await site.visitor().open("/login");
      await phone.press("Send me a code", { email: address });
      await phone.press("Sign in", { code: await mailedCode(site, address, 2) });
      await open(browsing, `${site.origin}/settings`);
      await phone.press("Sign out");
      await page.getByRole("button", { name: "Sign out A browser" }).click();
      await page.locator('[role="alert"]:focus', { hasText: "That browser is already signed out." }).waitFor();
    });
  });
});

/** Not the digits that were sent last. */
async function wrongCode(address: string, nth = 1): Promise<string> {
  return String((Number(await mailedCode(site, address, nth)) + 1) % 100_000_000).padStart(8, "0");
}

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("after a wrong code, $mode", ({ javaScript }) => {
  test("the remaining tries are shown in the same way everywhere, also when another email is refused, and at the end that there are none", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `tries-${javaScript}@example.com`;
      await browsing.page.clock.install();
      await askForCode(browsing, address);
      const { page } = browsing;
      const wrong = await wrongCode(address);
      const typeWrong = async () => {
        await page.getByLabel("Code").fill(wrong);
        await page.getByRole("button", { name: "Confirm" }).click();
      };
      await typeWrong();
      await page.locator(":focus", { hasText: "4 tries are left." }).waitFor();
      await page.getByText("4 tries left").waitFor();
      await page.clock.runFor(31_000);
      await page.getByRole("button", { name: "Send another code" }).click();
      await page.locator(".notice-attention:focus", { hasText: "You can ask for another in" }).waitFor();
      await page.getByText("4 tries left").waitFor();
      for (const left of ["3 tries are left.", "2 tries are left.", "One try is left."]) {
        await typeWrong();
        await page.locator(":focus", { hasText: left }).waitFor();
      }
      await typeWrong();
      await page.locator(":focus", { hasText: "Five wrong tries: this code no longer works." }).waitFor();
      await expect.poll(() => page.getByText("Valid for another").count()).toBe(0);
      expect(await page.getByText(/tr(y|ies) left/).count()).toBe(0);
      expect(await page.getByText("this code no longer works").count()).toBe(1);
      // Used up for the hour: no field to type into, and no button to send.
      expect(await page.getByLabel("Code").count()).toBe(0);
      await letHalfAMinutePass();
      await page.clock.runFor(31_000);
      await page.getByRole("button", { name: verifyMessages.en.resendNew }).click();
      await page.getByText("5 tries left").waitFor();
      for (const left of ["4 tries are left.", "3 tries are left.", "2 tries are left.", "One try is left."]) {
        await typeWrong();
        await page.locator(":focus", { hasText: left }).waitFor();
      }
      await typeWrong();
      await page.locator(":focus", { hasText: /No code for \S+ works at the moment/ }).waitFor();
      expect(await page.getByLabel("Code").count()).toBe(0);
      expect(await page.getByRole("button", { name: "Send another code" }).count()).toBe(0);
    });
  });
});

describe("a new code", () => {
  test("begins with an empty field that has the focus, and with its own time", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, "anew@example.com");
      const { page } = browsing;
      await codeHasLeft(site, "anew@example.com");
      await open(browsing, page.url());
      await page.getByLabel("Code").fill(await wrongCode("anew@example.com"));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("4 tries left").waitFor();
      // The refusal says that; the page reads its own time again.
      await page.locator(".navigation-progress").waitFor({ state: "detached" });
      // Half a minute has been counted, and the next second doesn't pass by itself.
      await page.clock.pauseAt(Date.now() + 31_000);
      const left = async () => /(\d+) min (\d+) s/.exec(await page.getByText("Valid for another").innerText());
      expect((await left())?.slice(1).map(Number)).toEqual([9, expect.toSatisfy((seconds) => seconds < 31)]);
      await letHalfAMinutePass();
      await page.getByRole("button", { name: "Send another code" }).click();
      await page.getByText("5 tries left").waitFor();
      expect(await page.getByLabel("Code").inputValue()).toBe("");
      expect(await page.getByLabel("Code").and(page.locator(":focus")).count()).toBe(1);
      const [, minutes, seconds] = (await left()) ?? [];
      expect(Number(minutes) * 60 + Number(seconds)).toBeGreaterThan(590);
    });
  });
});

describe("while mail is down", () => {
  test("the page says so, notices when the email was sent, and keeps what was typed", async () => {
    await site.turnMail("down");
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, "zoe@example.com");
      const { page } = browsing;
      const slow = page.getByText("Our mail is slow at the moment");
      /** The page's own clock continues, so that it refreshes. */
      const shown = async () => {
        await page.clock.runFor(10_000);
        return slow.count();
      };
      await expect.poll(shown, { timeout: 15_000 }).toBe(1);
      await page.getByLabel("Code").fill("1234");
      await site.turnMail("up");
      await site.runCron(Date.now() + 61_000);
      await expect.poll(shown, { timeout: 15_000 }).toBe(0);
      expect(await page.getByLabel("Code").inputValue()).toBe("1234");
      await page.getByText("Valid for another").waitFor();
      await page.getByLabel("Code").fill(await mailedCode(site, "zoe@example.com"));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });
});

describe.each([
  { mode: "with JavaScript", javaScript: true },
  { mode: "without JavaScript", javaScript: false },
])("errors in a form, $mode", ({ javaScript }) => {
  test("are in a summary that has the focus and leads to the field, and beside the field", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await open(browsing, `${site.origin}/signup`);
      await withoutBrowserChecks(browsing);
      await page.getByLabel("E-mail").fill("not an address");
      await page.getByRole("button", { name: "Send me a code" }).click();
      // The browser moves the focus a moment after it has rendered the page.
      await expect.poll(() => page.locator('[role="alert"]:focus').count(), { timeout: 15_000 }).toBe(1);
      expect(await page.getByRole("alert").count()).toBe(1);
      const field = page.getByLabel("E-mail");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const notice = "That is not a whole e-mail address. It looks like name@example.com.";
      expect(await page.locator(`#${await field.getAttribute("aria-describedby").then(firstWord)}`).innerText()).toBe(
        notice,
      );
      expect(await field.inputValue()).toBe("not an address");
      await page.getByRole("alert").getByRole("link", { name: notice }).click();
      await expect.poll(() => field.and(page.locator(":focus")).count(), { timeout: 15_000 }).toBe(1);
      expect(await page.getByRole("alert").getByRole("link").allInnerTexts()).toEqual([
        notice,
        "Agree to the terms to go on.",
      ]);
    });
  });

  test("a wrong code is reported where the focus is, with the remaining tries", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `zoe-${javaScript}@example.com`;
      await askForCode(browsing, address);
      const { page } = browsing;
      const wrong = String((Number(await mailedCode(site, address)) + 1) % 100_000_000).padStart(8, "0");
      await page.getByLabel("Code").fill(wrong);
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.locator(":focus", { hasText: "That is not the code. 4 tries are left." }).waitFor();
      expect(await page.getByLabel("Code").getAttribute("aria-invalid")).toBe("true");
      await page.getByLabel("Code").fill(await mailedCode(site, address));
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles.map(({ kind, status }) => [kind, status])).toEqual([["refused-request", 422]]);
    });
  });
});

/** The browser would stop the form by itself; here the server answers. */
async function withoutBrowserChecks({ page }: Browsing): Promise<void> {
  await page
    .locator("form")
    .first()
    .evaluate((form) => form.setAttribute("novalidate", ""));
}

/** The error comes first of what describes a field. */
function firstWord(text: string | null): string {
  return text?.split(" ").at(0) ?? "";
}
