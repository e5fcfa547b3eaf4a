import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { quotaRefusalMessages } from "#app/http/forms/quota-refusal.messages.ts";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { visitorMessages } from "#app/http/request/visitor.messages.ts";
import { product } from "#app/product/config.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { accountMessages } from "#app/routes/settings/account-forms/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { securityMessages } from "#app/routes/settings/security/messages.ts";
import { signupMessages, signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { verifyMessages, invalidCodeMessages } from "#app/routes/verify/messages.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { anyNumbersIn, fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import {
  askForCode,
  type Browsing,
  codeField,
  codeHasLeft,
  enterCode,
  emailedLink,
  fillCode,
  isRefusedAtField,
  open,
  signUp,
  termsBox,
  withBrowser,
} from "#tests/browser/support/steps.ts";
import { signIn, signUp as signUpVisitor } from "#tests/support/clients/customers.ts";

useSiteAndBrowser();

const { problems, over, triesLeft } = verifyMessages.en;
/** "The code expires in 10 minutes.", at any time. */
const timeLeft = anyNumbersIn(verifyMessages.en.timeLeft(599));
/** The countdown to the next code. */
const waitForAnother = anyNumbersIn(verifyMessages.en.resendIn(30));
/** The button for another browser, with the masked address. */
const continueHere = (masked?: RegExp) => fillGaps(verifyMessages.en.elsewhere.continueHere(gap), masked);
/** The focused refusal of an email that is too soon after the last one. */
const tooSoon = (page: Page) =>
  page.locator(":focus", {
    hasText: anyNumbersIn(quotaRefusalMessages.en["too-soon"](refusalMessages.en.wait(30))),
  });

/** Earlier emails were sent half a minute earlier; that all were requested from one network doesn't count. */
async function letHalfAMinutePass(): Promise<void> {
  const database = await site.database();
  await database.prepare("update quota_uses set used_at = used_at - 30000").run();
  await database.prepare("delete from quota_uses where id like '%.1'").run();
}

describe("the link in the email", () => {
  test("fills in the code in the browser that requested it, and only the button uses it up", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await askForCode(browsing, site, "uma@example.com");
      const link = await emailedLink(site, "uma@example.com", "/verify");
      await open(browsing, link);
      const page = await open(browsing, link);
      expect(await codeField(page).inputValue()).toBe(await site.codeTo("uma@example.com"));
      await page.getByRole("button", { name: verifyMessages.en.submit["sign-up"] }).click();
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("shows the code to type in another browser, and changes nothing there", async () => {
    await withBrowser(chromium, {}, async (asking) => {
      await askForCode(asking, site, "vera@example.com");
      const link = await emailedLink(site, "vera@example.com", "/verify");
      await withBrowser(chromium, { javaScript: false, viewport: { width: 390, height: 844 } }, async (phone) => {
        const page = await open(phone, link);
        const code = await site.codeTo("vera@example.com");
        await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).waitFor();
        expect(await page.getByRole("button", { name: continueHere(/v•+.*/) }).count()).toBe(1);
        expect(await codeField(page).count()).toBe(0);
        expect(await page.content()).not.toContain("vera@example.com");
        expect(phone.troubles).toEqual([]);
        await enterCode(asking.page, code);
        await asking.page.waitForURL(`${site.origin}/settings`);
      });
    });
  });

  test.each(javaScriptModes)(
    "continues in another browser through 'continue here' with a new code, $mode",
    async ({ javaScript }) => {
      const address = `wim-${javaScript}@example.com`;
      await withBrowser(chromium, {}, async (asking) => {
        await signUpVisitor(site, address);
        await letHalfAMinutePass();
        await open(asking, `${site.origin}/login`);
        await asking.page.getByLabel(loginMessages.en.email).fill(address);
        await asking.page.getByRole("button", { name: loginMessages.en.submit }).click();
        const link = await emailedLink(site, address, "/verify", 2);
        const code = await site.codeTo(address, 2);
        await withBrowser(chromium, { javaScript }, async (phone) => {
          const page = await open(phone, link);
          await page.getByRole("button", { name: continueHere(/w•+.*/) }).click();
          // Two emails to one address are half a minute apart, for any browser; the page says so, with the code that
          // it showed.
          await tooSoon(page).waitFor();
          await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).waitFor();
          await letHalfAMinutePass();
          await page.getByRole("button", { name: continueHere() }).click();
          await enterCode(page, await site.codeTo(address, 3), "sign-in");
          await page.waitForURL(`${site.origin}/settings`);
          expect(phone.troubles.map(({ kind, status }) => [kind, status])).toEqual([["refused-request", 429]]);
        });
      });
    },
  );

  test.each(javaScriptModes)(
    "to sign up continues in another browser, with its own consent, $mode",
    async ({ javaScript }) => {
      const address = `una-${javaScript}@example.com`;
      await withBrowser(chromium, {}, async (asking) => {
        await askForCode(asking, site, address);
        const link = await emailedLink(site, address, "/verify");
        await withBrowser(chromium, { javaScript }, async (phone) => {
          const page = await open(phone, link);
          expect(await termsBox(page).isChecked()).toBe(false);
          await letHalfAMinutePass();
          await termsBox(page).check();
          await page.getByRole("button", { name: continueHere(/u•+.*/) }).click();
          await enterCode(page, await site.codeTo(address, 2));
          await page.waitForURL(`${site.origin}/settings`);
          expect(phone.troubles).toEqual([]);
        });
      });
    },
  );

  test("says in another browser that the code was used", async () => {
    await withBrowser(chromium, {}, async (asking) => {
      await signUp(asking, site, "ulf@example.com");
      const code = await site.codeTo("ulf@example.com");
      const link = await emailedLink(site, "ulf@example.com", "/verify");
      await withBrowser(chromium, {}, async (phone) => {
        const page = await open(phone, link);
        await page.getByRole("heading", { name: invalidCodeMessages.en["code-used"].title }).waitFor();
        expect(await page.getByText(`${code.slice(0, 4)} ${code.slice(4)}`).count()).toBe(0);
        await page.getByRole("link", { name: verifyMessages.en.elsewhere.signedUp.button }).click();
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
      const stored = database.prepare("select time_zone from accounts where email = ?").bind(address);
      expect(await stored.first("time_zone")).toBe(zone);
      await open(browsing, `${site.origin}/settings/profile`);
      expect(await browsing.page.getByLabel(profileMessages.en.profile.timeZone).inputValue()).toBe(zone);
    });
  },
);

describe("while the email is being sent", () => {
  test("the wait for another code counts down to its end, with JavaScript", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, site, "xenia@example.com");
      const { page } = browsing;
      // Until then the page asks the server again, whose clock is the real one.
      await codeHasLeft(site, "xenia@example.com");
      await open(browsing, page.url());
      const wait = page.getByRole("button", { name: waitForAnother });
      const waited = async () => Number(waitForAnother.exec(await wait.innerText())?.[1]);
      const again = page.getByRole("button", { name: verifyMessages.en.resend, exact: true });
      expect(await wait.isDisabled()).toBe(true);
      const before = await waited();
      expect(before).toBeGreaterThan(20);
      expect(before).toBeLessThanOrEqual(30);
      await page.clock.runFor(5_000);
      await expect.poll(waited).toBeLessThanOrEqual(before - 5);
      await page.clock.runFor(30_000);
      await expect.poll(() => wait.count()).toBe(0);
      expect(await again.isEnabled()).toBe(true);
    });
  });

  test("a request for another code that comes too soon is answered with the time to wait, without JavaScript", async () => {
    await withBrowser(chromium, { javaScript: false }, async (browsing) => {
      await askForCode(browsing, site, "yara@example.com");
      const { page } = browsing;
      await page.getByRole("button", { name: verifyMessages.en.resend, exact: true }).click();
      await tooSoon(page).waitFor();
      expect(browsing.troubles.map(({ kind, status }) => [kind, status])).toEqual([["refused-request", 429]]);
    });
  });
});

describe.each(javaScriptModes)("a refusal that concerns no field, $mode", ({ javaScript }) => {
  test("has the focus each time, and replaces the previous message", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, site, `xaver-${javaScript}@example.com`);
      const { page } = browsing;
      const again = page.getByRole("button", { name: verifyMessages.en.resend, exact: true });
      const notice = page.getByText(flashMessages.en["code-sent"]);
      const refused = tooSoon(page);
      // What the page counts, from when its scripts have read the last answer; the site may disagree, and then refuses.
      const pressAgain = async () => {
        await expect
          .poll(async () => {
            await page.clock.runFor(31_000);
            return again.count();
          })
          .toBe(1);
        await again.click();
      };
      await letHalfAMinutePass();
      await pressAgain();
      await notice.waitFor();
      for (let time = 0; time < 2; time += 1) {
        await pressAgain();
        await refused.waitFor();
        expect(await notice.count()).toBe(0);
        await codeField(page).focus();
      }
      await letHalfAMinutePass();
      await pressAgain();
      await notice.waitFor();
      expect(await refused.count()).toBe(0);
    });
  });

  test("is announced on other pages, too, where it has the focus and is read immediately", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `xenon-${javaScript}@example.com`;
      const page = await signUp(browsing, site, address);
      const phone = await signIn(site, address, 2);
      await open(browsing, `${site.origin}/settings/security`);
      await phone.press(rootMessages.en.signOut);
      await page
        .getByRole("button", { name: `${securityMessages.en.sessions.end} ${visitorMessages.en.unknown}` })
        .click();
      await page.locator('[role="alert"]:focus', { hasText: accountMessages.en.problems["session-unknown"] }).waitFor();
    });
  });
});

/** Not the digits that were sent last. */
async function wrongCode(address: string, nth = 1): Promise<string> {
  return after(await site.codeTo(address, nth));
}

function after(code: string): string {
  return String((Number(code) + 1) % 100_000_000).padStart(8, "0");
}

describe.each(javaScriptModes)("after a wrong code, $mode", ({ javaScript }) => {
  test("the remaining tries are shown in the same way everywhere, also when another email is refused, until none are left", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `tries-${javaScript}@example.com`;
      await browsing.page.clock.install();
      await askForCode(browsing, site, address);
      const { page } = browsing;
      // Until then the page asks the server again, whose clock is the real one.
      await codeHasLeft(site, address);
      await open(browsing, page.url());
      let wrong = await wrongCode(address);
      const typeWrong = () => {
        wrong = after(wrong);
        return enterCode(page, wrong);
      };
      expect(await page.getByText(triesLeft(5)).count()).toBe(0);
      await typeWrong();
      await isRefusedAtField(page, problems["wrong-code"](4));
      expect(await page.getByText(problems["wrong-code"](4)).count()).toBe(1);
      expect(await page.getByText(triesLeft(4)).count()).toBe(0);
      await page.clock.runFor(31_000);
      await page.getByRole("button", { name: verifyMessages.en.resend, exact: true }).click();
      await tooSoon(page).waitFor();
      await page.getByText(triesLeft(4)).waitFor();
      for (const left of [3, 2, 1]) {
        await typeWrong();
        await isRefusedAtField(page, problems["wrong-code"](left));
      }
      await typeWrong();
      await page.locator(":focus", { hasText: problems["code-exhausted"] }).waitFor();
      await expect.poll(() => page.getByText(timeLeft).count()).toBe(0);
      for (const left of [triesLeft(1), anyNumbersIn(triesLeft(2))]) expect(await page.getByText(left).count()).toBe(0);
      const exhausted = page.getByText(problems["code-exhausted"]).or(page.getByText(over["code-exhausted"]));
      expect(await exhausted.count()).toBe(1);
      // Used up for the hour: no field to type into, and no button to send.
      expect(await codeField(page).count()).toBe(0);
      await letHalfAMinutePass();
      await page.clock.runFor(31_000);
      await page.getByRole("button", { name: verifyMessages.en.resend, exact: true }).click();
      await codeField(page).waitFor();
      for (const left of [4, 3, 2, 1]) {
        await typeWrong();
        await isRefusedAtField(page, problems["wrong-code"](left));
      }
      await typeWrong();
      await page.locator(":focus", { hasText: fillGaps(verifyMessages.en.shut.title(gap), /\S+/) }).waitFor();
      expect(await codeField(page).count()).toBe(0);
      expect(await page.getByRole("button", { name: verifyMessages.en.resend }).count()).toBe(0);
    });
  });
});

/** In the digits of another script, whose zero this is. */
function inDigitsFrom(code: string, zero: number): string {
  return [...code].map((digit) => String.fromCodePoint(zero + Number(digit))).join("");
}

describe("the last digit of a code", () => {
  test("submits the code once, typed or pasted; the same wrong digits wait for the button, and count once", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const address = "complete@example.com";
      await askForCode(browsing, site, address);
      const { page } = browsing;
      let sent = 0;
      page.on("request", (request) => {
        if (request.method() === "POST") sent += 1;
      });
      const wrong = await wrongCode(address);
      await codeField(page).pressSequentially(wrong);
      await page.keyboard.press("Enter");
      await isRefusedAtField(page, problems["wrong-code"](4));
      expect(sent).toBe(1);
      expect(await fillCode(page, wrong)).toBe(false);
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.keyboard.press("Enter");
      expect((await answered).status()).toBe(422);
      await isRefusedAtField(page, problems["wrong-code"](4));
      expect(sent).toBe(2);
      // The wrong digits are selected once more: typing replaces them.
      const selected = () => page.evaluate(() => String(getSelection()).replaceAll(/\D/g, ""));
      await expect.poll(selected).toBe(wrong);
      await page.keyboard.type(await site.codeTo(address));
      await page.waitForURL(`${site.origin}/settings`);
      expect(sent).toBe(3);
    });
  });

  test.each([
    ["as the email's text has it, indented", (code: string) => `    ${code.slice(0, 4)} ${code.slice(4)}`],
    ["in full-width digits", (code: string) => inDigitsFrom(code, 0xff10)],
    ["in Arabic-Indic digits", (code: string) => inDigitsFrom(code, 0x660)],
    [
      "in Persian digits, isolated from what is around them",
      (code: string) => `\u2066${inDigitsFrom(code, 0x6f0)}\u2069`,
    ],
  ])("submits it pasted, or typed with each character by itself, %s", async (how, write) => {
    for (const way of ["pasted", "typed"]) {
      await letHalfAMinutePass();
      await withBrowser(chromium, {}, async (browsing) => {
        const address = `${way}-${how.replaceAll(/\W/g, "")}@example.com`.toLowerCase();
        await askForCode(browsing, site, address);
        const { page } = browsing;
        const written = write(await site.codeTo(address));
        await codeField(page).focus();
        // Unlike `fill`, these are what `maxLength` cuts.
        if (way === "pasted") await page.keyboard.insertText(written);
        else for (const character of written) await page.keyboard.insertText(character);
        await page.waitForURL(`${site.origin}/settings`);
        expect(browsing.troubles).toEqual([]);
      });
    }
  });
});

describe("a complete code that is typed before the script runs", () => {
  /** Opens the page, which gets its script once the code is typed. */
  async function typeEarly({ page, context, alive }: Browsing, load: () => Promise<unknown>, code: string) {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await context.route("**/entry.client*", (route) => arrived.then(() => route.continue()));
    await load();
    await codeField(page).fill(code);
    arrive();
    await alive();
    await context.unroute("**/entry.client*");
  }

  test("submits itself once, with what the script adds to the form, but not after a reload, where the browser may have filled it in", async () => {
    await withBrowser(chromium, { timeZone: "Asia/Kolkata" }, async (browsing) => {
      const address = "early@example.com";
      await askForCode(browsing, site, address);
      const { page } = browsing;
      let sent = 0;
      page.on("request", (request) => {
        if (request.method() === "POST" && request.url().includes("/verify")) sent += 1;
      });
      const code = await site.codeTo(address);
      await typeEarly(browsing, () => page.reload({ waitUntil: "domcontentloaded" }), code);
      // Two frames: what would have been submitted has been.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect(sent).toBe(0);
      const url = page.url();
      await page.goto("about:blank");
      await typeEarly(
        browsing,
        () => page.goto(url, { waitUntil: "domcontentloaded" }),
        `${code.slice(0, 4)} ${code.slice(4)}`,
      );
      await page.waitForURL(`${site.origin}/settings`);
      expect(sent).toBe(1);
      const database = await site.database();
      const zone = database.prepare("select time_zone from accounts where email = ?").bind(address).first("time_zone");
      expect(await zone).toBe("Asia/Kolkata");
    });
  });
});

describe("a new code", () => {
  test("starts with an empty field that has the focus, and with a new expiry", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, site, "anew@example.com");
      const { page } = browsing;
      await codeHasLeft(site, "anew@example.com");
      await open(browsing, page.url());
      await enterCode(page, await wrongCode("anew@example.com"));
      await isRefusedAtField(page, problems["wrong-code"](4));
      // The refusal says that; the page reads its own time again.
      await page.getByRole("progressbar").waitFor({ state: "detached" });
      // A minute and a half has been counted, and the clock is paused from here.
      await page.clock.pauseAt(Date.now() + 91_000);
      const minutesLeft = async () => Number(timeLeft.exec(await page.getByText(timeLeft).innerText())?.[1]);
      expect(await minutesLeft()).toBe(9);
      await letHalfAMinutePass();
      await page.getByRole("button", { name: verifyMessages.en.resend, exact: true }).click();
      await page.getByText(flashMessages.en["code-sent"]).waitFor();
      expect(await codeField(page).inputValue()).toBe("");
      expect(await codeField(page).and(page.locator(":focus")).count()).toBe(1);
      expect(await minutesLeft()).toBe(10);
    });
  });
});

describe("while email is down", () => {
  test("the page says so, notices when the email was sent, and keeps what was typed", async () => {
    await site.setEmail("down");
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.clock.install();
      await askForCode(browsing, site, "zoe@example.com");
      const { page } = browsing;
      const slow = page.getByText(verifyMessages.en.heldUp.late.title);
      // Each look takes ten seconds of the page's clock: more than sixty, and the code has expired.
      const patiently = { interval: 1_000, timeout: 15_000 };
      /** The page's own clock continues, so that it refreshes. */
      const shown = async () => {
        await page.clock.runFor(10_000);
        return slow.count();
      };
      await expect.poll(shown, patiently).toBe(1);
      await codeField(page).fill("1234");
      await site.setEmail("up");
      await site.runCron(Date.now() + 61_000);
      await expect.poll(shown, patiently).toBe(0);
      expect(await codeField(page).inputValue()).toBe("1234");
      await page.getByText(timeLeft).waitFor();
      await enterCode(page, await site.codeTo("zoe@example.com"));
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });
});

describe.each(javaScriptModes)("the errors of a form, $mode", ({ javaScript }) => {
  test("are listed in a summary that has the focus and leads to the field, and beside the field", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const page = await open(browsing, `${site.origin}/signup`);
      await withoutBrowserChecks(browsing);
      await page.getByLabel(signupMessages.en.email).fill("not an address");
      await page.getByRole("button", { name: signupMessages.en.submit }).click();
      // The browser moves the focus a moment after it has rendered the page.
      await expect.poll(() => page.locator('[role="alert"]:focus').count(), { timeout: 15_000 }).toBe(1);
      expect(await page.getByRole("alert").count()).toBe(1);
      const field = page.getByLabel(signupMessages.en.email);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      const notice = signUpFieldsMessages.en.problems["email-malformed"];
      expect(await page.locator(`#${await field.getAttribute("aria-describedby").then(firstWord)}`).innerText()).toBe(
        notice,
      );
      expect(await field.inputValue()).toBe("not an address");
      await page.getByRole("alert").getByRole("link", { name: notice }).click();
      await expect.poll(() => field.and(page.locator(":focus")).count(), { timeout: 15_000 }).toBe(1);
      expect(await page.getByRole("alert").getByRole("link").allInnerTexts()).toEqual([
        notice,
        signUpFieldsMessages.en.problems["terms-missing"],
      ]);
    });
  });

  test("a wrong code is reported at its field, which has the focus, with the remaining tries", async () => {
    await withBrowser(chromium, { javaScript }, async (browsing) => {
      const address = `zoe-${javaScript}@example.com`;
      await askForCode(browsing, site, address);
      const { page } = browsing;
      const wrong = String((Number(await site.codeTo(address)) + 1) % 100_000_000).padStart(8, "0");
      await enterCode(page, wrong);
      await isRefusedAtField(page, problems["wrong-code"](4));
      expect(await codeField(page).getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByRole("alert").count()).toBe(0);
      await enterCode(page, await site.codeTo(address));
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
