import { publicPages } from "#tests/support/site/addresses.ts";
import { flashMessages } from "#app/http/page/flash.messages.ts";
import type { CDPSession, Page, Response } from "playwright-core";
import { describe, expect, test } from "vitest";
import { passkeyProblemMessages } from "#app/client/passkey-refusal.messages.ts";
import { visitorMessages } from "#app/http/request/visitor.messages.ts";
import { rootMessages } from "#app/root.messages.ts";
import { loginMessages } from "#app/routes/login/messages.ts";
import { overviewMessages } from "#app/routes/settings/overview/messages.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { securityMessages, activityMessages } from "#app/routes/settings/security/messages.ts";
import { verifyMessages } from "#app/routes/verify/messages.ts";
import { findings } from "#tests/browser/support/findings.ts";
import { javaScriptModes } from "#tests/browser/support/java-script-modes.ts";
import { chromium, useSiteAndBrowser, site } from "#tests/browser/support/shared-site.ts";
import { type Browsing, enterCode, open, signUp, withBrowser } from "#tests/browser/support/steps.ts";
import { lendCookiesOf, outdateReauthentications } from "#tests/browser/support/visitors.ts";
import { pattern } from "#tests/support/billing/catalogue.ts";

useSiteAndBrowser({ host: "localhost" });

const { passkeys } = securityMessages.en;
const removeDesk = `${passkeys.remove} Desk`;

/**
 * A device with a fingerprint reader, as Chromium simulates it: it stores passkeys, and confirms automatically while
 * it is `touched`.
 */
class Device {
  private readonly devTools: CDPSession;
  private readonly authenticatorId: string;

  private constructor(devTools: CDPSession, authenticatorId: string) {
    this.devTools = devTools;
    this.authenticatorId = authenticatorId;
  }

  static async plugInto({ context, page }: Browsing): Promise<Device> {
    const devTools = await context.newCDPSession(page);
    await devTools.send("WebAuthn.enable");
    const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Device(devTools, authenticatorId);
  }

  async touched(enabled: boolean): Promise<void> {
    const { authenticatorId } = this;
    await this.devTools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  }

  async keeps(): Promise<number> {
    const { authenticatorId } = this;
    return (await this.devTools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length;
  }

  async names(): Promise<(string | undefined)[]> {
    const { authenticatorId } = this;
    const { credentials } = await this.devTools.send("WebAuthn.getCredentials", { authenticatorId });
    return credentials.map(({ userDisplayName }) => userDisplayName);
  }
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${site.origin}/settings/security`, { waitUntil: "networkidle" });
  await page.getByLabel(passkeys.newName).fill(name);
  await page.getByRole("button", { name: passkeys.add }).click();
  await page.getByText(flashMessages.en["passkey-added"]).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: rootMessages.en.signOut }).click();
  await page.getByText(flashMessages.en["signed-out"]).waitFor();
}

describe("a passkey", () => {
  test("is added with a name, signs in by the button, and is removed", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "button@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "My desk");
      const row = page.getByRole("row", { name: /^My desk/ });
      await row.getByText(passkeys.never).waitFor();
      expect(await device.keeps()).toBe(1);
      // It isn't offered among the suggestions, so that the button is what signs in.
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
      });
      await signOut(page);
      await open(browsing, `${site.origin}/login?redirectTo=/settings/orders`);
      await page.getByText(loginMessages.en.lastTime.code).waitFor();
      await page.getByRole("button", { name: loginMessages.en.passkey }).press("Enter");
      await page.waitForURL(`${site.origin}/settings/orders`);
      await page.goto(`${site.origin}/settings/security`);
      await page.getByRole("rowheader", { name: activityMessages.en.did["signed-in-by-passkey"] }).waitFor();
      expect(await row.getByText(passkeys.never).count()).toBe(0);
      await row.getByRole("button", { name: `${passkeys.remove} My desk` }).click();
      await page.getByRole("dialog").getByRole("button", { name: passkeys.removeNow }).click();
      await page.getByText(flashMessages.en["passkey-removed"]).waitFor();
      expect(await row.count()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("signs in from the suggestions of the address field, without a button", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "autofill@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "Laptop");
      await device.touched(false);
      await signOut(page);
      await device.touched(true);
      await page.goto(`${site.origin}/login`);
      await page.waitForURL(`${site.origin}/settings`);
      await page.getByText(overviewMessages.en.lead("autofill@example.com")).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("is added once per device", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "twice@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "");
      // Without a name it is called after the browser.
      await page
        .locator("#passkeys")
        .getByRole("row", { name: pattern`^${visitorMessages.en.on("Chrome", "Linux")}` })
        .waitFor();
      await page.getByRole("button", { name: passkeys.add }).click();
      await page.getByRole("alert").getByText(passkeyProblemMessages.en["passkey-known"]).waitFor();
      expect(await device.keeps()).toBe(1);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("confirms the user's identity in place of a code", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "proof@example.com");
      await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await outdateReauthentications(site);
      await page.reload();
      await browsing.alive();
      await page.getByLabel(passkeys.newName).fill("Second");
      await page.getByRole("button", { name: passkeys.add }).click();
      await page.waitForURL("**/verify?**");
      await page.getByRole("button", { name: verifyMessages.en.passkey }).click();
      await page.waitForURL("**/settings/security?continue=**#passkeys");
      expect(await page.getByLabel(passkeys.newName).inputValue()).toBe("Second");
      await page.getByRole("rowheader", { name: activityMessages.en.did["confirmed-by-passkey"] }).waitFor();
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("is requested again each time", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "names@example.com");
      await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      expect(await page.getByLabel(passkeys.newName).inputValue()).toBe("");
      await expect.poll(() => page.locator("#passkeys:focus, #passkeys .flash:focus").count()).toBe(1);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test.each(javaScriptModes)(
    "that is removed after a re-authentication needs a confirmation ($mode)",
    async ({ javaScript }) => {
      const address = `removes-${javaScript}@example.com`;
      await withBrowser(chromium, {}, async (maker) => {
        await signUp(maker, site, address);
        await Device.plugInto(maker);
        await addPasskey(maker.page, "Desk");
        await outdateReauthentications(site);
        await withBrowser(chromium, { javaScript }, async (browsing) => {
          await lendCookiesOf(maker, browsing, site.origin);
          const page = await open(browsing, `${site.origin}/settings/security`);
          await page.getByRole(javaScript ? "button" : "link", { name: removeDesk }).click();
          const dialog = page.getByRole("dialog", { name: passkeys.removeTitle("Desk") });
          await dialog.getByRole("button", { name: passkeys.removeNow }).click();
          await enterCode(page, await site.codeTo(address, 3), "reauthentication");
          await page.waitForURL("**/settings/security?continue=**#remove-**");
          await dialog.getByRole("button", { name: passkeys.removeNow }).waitFor();
          expect(await dialog.evaluate((shown) => shown.matches(":modal"))).toBe(javaScript);
          expect(await dialog.evaluate((shown) => getComputedStyle(shown).textAlign)).toBe("start");
          // A user who cancels is where they were before.
          await dialog.getByRole(javaScript ? "button" : "link", { name: passkeys.keep }).click();
          await expect.poll(() => dialog.count(), { timeout: 15_000 }).toBe(0);
          const opener = page.getByRole(javaScript ? "button" : "link", { name: removeDesk });
          await expect.poll(() => opener.and(page.locator(":focus")).count(), { timeout: 15_000 }).toBe(1);
          await opener.click();
          await dialog.getByRole("button", { name: passkeys.removeNow }).click();
          await page.locator("#passkeys").getByText(flashMessages.en["passkey-removed"]).waitFor();
          await expect
            .poll(() => page.locator("#passkeys:focus, #passkeys .flash:focus").count(), { timeout: 15_000 })
            .toBe(1);
          expect(await page.getByRole("row", { name: /^Desk/ }).count()).toBe(0);
          expect(browsing.troubles).toEqual([]);
        });
      });
    },
  );

  test("that was already removed is reported on the page, not behind the confirmation", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "gone@example.com");
      await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await page.getByRole("button", { name: removeDesk }).click();
      await (await site.database()).exec("delete from passkeys where name = 'Desk'");
      await page.getByRole("dialog").getByRole("button", { name: passkeys.removeNow }).click();
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
    });
  });

  test("that signs in after five minutes gets a new challenge first", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "patient@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await device.touched(false);
      await signOut(page);
      await page.clock.install();
      await open(browsing, `${site.origin}/login`);
      const request = page.waitForRequest("**/passkey-offer?for=sign-in");
      // The page runs its scripts: with a stopped clock it wouldn't start them.
      await page.getByRole("button", { name: loginMessages.en.passkey }).waitFor();
      await page.clock.setFixedTime(Date.now() + 4 * 60_000);
      await device.touched(true);
      await page.getByRole("button", { name: loginMessages.en.passkey }).click();
      await request;
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("is offered among the suggestions with a new challenge, before the old one expires", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "waiting@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await device.touched(false);
      await signOut(page);
      await page.clock.install();
      await page.addInitScript(() => {
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = (options) => {
          document.documentElement.dataset["offered"] = "";
          return get(options);
        };
      });
      await page.goto(`${site.origin}/login`);
      await page.locator("html[data-offered]").waitFor();
      // The pending request doesn't notice; the next one does.
      await device.touched(true);
      const request = page.waitForRequest("**/passkey-offer?for=sign-in");
      await page.clock.runFor(4 * 60_000);
      await request;
      await page.waitForURL(`${site.origin}/settings`);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("that fails is reported, and the page keeps working", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await open(browsing, `${site.origin}/login`);
      await Device.plugInto(browsing);
      await page.getByRole("button", { name: loginMessages.en.passkey }).click();
      await page.getByRole("alert").getByText(passkeyProblemMessages.en["passkey-cancelled"]).waitFor();
      await page.getByLabel(loginMessages.en.email).fill("goes-on@example.com");
      await page.getByRole("button", { name: loginMessages.en.submit }).click();
      await page.waitForURL("**/verify?**");
      expect(browsing.troubles).toEqual([]);
    });
  });
});

describe("what the site knows of its passkeys", () => {
  test("reaches the browser: a removed one is gone from the device, and the others have the account's present name", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "signals@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await open(browsing, `${site.origin}/settings/profile`);
      await page.getByLabel(profileMessages.en.profile.name).fill("Sigrid Nalund");
      await page.getByRole("button", { name: profileMessages.en.profile.save }).click();
      await page.getByText(flashMessages.en["profile-saved"]).waitFor();
      await expect.poll(() => device.names()).toEqual(["Sigrid Nalund"]);
      await open(browsing, `${site.origin}/settings/security`);
      await page.getByRole("button", { name: removeDesk }).click();
      await page.getByRole("dialog").getByRole("button", { name: passkeys.removeNow }).click();
      await page.getByText(flashMessages.en["passkey-removed"]).waitFor();
      await expect.poll(() => device.keeps()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("reaches it when a passkey is used that the site doesn't have", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "unknown@example.com");
      const device = await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
      });
      await signOut(page);
      await (await site.database()).exec("delete from passkeys");
      await open(browsing, `${site.origin}/login`);
      await page.getByRole("button", { name: loginMessages.en.passkey }).click();
      await page.getByRole("alert").getByText(passkeyProblemMessages.en["passkey-refused"]).waitFor();
      await expect.poll(() => device.keeps()).toBe(0);
    });
  });
});

describe("after a sign-in by code", () => {
  const { passkey } = overviewMessages.en;

  test("a passkey is added by one press on the overview, which then offers none", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "offered@example.com");
      const device = await Device.plugInto(browsing);
      await open(browsing, `${site.origin}/settings`);
      await page.getByRole("button", { name: passkey.add }).click();
      await page.getByText(flashMessages.en["passkey-added"]).waitFor();
      expect(await device.keeps()).toBe(1);
      await open(browsing, `${site.origin}/settings`);
      expect(await page.getByRole("button", { name: passkey.add }).count()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("who declines isn't asked again in this browser, also after the next sign-in", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "declined@example.com");
      await open(browsing, `${site.origin}/settings`);
      await page.getByRole("button", { name: passkey.decline }).click();
      await page.getByRole("button", { name: passkey.add }).waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe("/settings");
      await signOut(page);
      await signUp(browsing, site, "declined-2@example.com");
      await open(browsing, `${site.origin}/settings`);
      expect(await page.getByRole("button", { name: passkey.add }).count()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("nothing is offered without scripts, or long after", async () => {
    await withBrowser(chromium, { javaScript: false }, async (browsing) => {
      const page = await signUp(browsing, site, "plain@example.com");
      await page.goto(`${site.origin}/settings`);
      expect(await page.getByText(passkey.title).isVisible()).toBe(false);
    });
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "later@example.com");
      await outdateReauthentications(site);
      await open(browsing, `${site.origin}/settings`);
      expect(await page.getByText(passkey.title).count()).toBe(0);
    });
  });
});

describe("a browser without support", () => {
  test("shows no unusable buttons if it doesn't support passkeys", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      await browsing.page.addInitScript("delete window.PublicKeyCredential");
      const page = await open(browsing, `${site.origin}/login`);
      await expect.poll(() => page.getByRole("button", { name: loginMessages.en.passkey }).count()).toBe(0);
      expect(await page.getByText(loginMessages.en.or, { exact: true }).count()).toBe(0);
      await signUp(browsing, site, "old@example.com");
      await open(browsing, `${site.origin}/settings/security`);
      await page.getByText(passkeys.unknownHere).waitFor();
      expect(await page.getByRole("button", { name: passkeys.add }).count()).toBe(0);
      expect(browsing.troubles).toEqual([]);
    });
  });

  test("shows no unusable buttons without JavaScript, and can still remove passkeys", async () => {
    await withBrowser(chromium, {}, async (browsing) => {
      const page = await signUp(browsing, site, "scripts@example.com");
      await Device.plugInto(browsing);
      await addPasskey(page, "Desk");
      await withBrowser(chromium, { javaScript: false }, async (bare) => {
        await bare.page.goto(`${site.origin}/login`);
        expect(await bare.page.getByRole("button", { name: loginMessages.en.passkey }).count()).toBe(0);
        expect(await bare.page.getByRole("button", { name: loginMessages.en.submit }).count()).toBe(1);
        await lendCookiesOf(browsing, bare, site.origin);
        await bare.page.goto(`${site.origin}/settings/security`);
        // Playwright's text search leaves <noscript> out, even if it is shown.
        const notice = bare.page.locator("#passkeys noscript p");
        expect([await notice.isVisible(), await notice.innerText()]).toEqual([true, passkeys.needsScript]);
        expect(await bare.page.getByRole("button", { name: passkeys.add }).count()).toBe(0);
        await bare.page.getByRole("link", { name: removeDesk }).click();
        await bare.page.getByRole("dialog").getByRole("button", { name: passkeys.removeNow }).click();
        await bare.page.getByText(flashMessages.en["passkey-removed"]).waitFor();
        expect(bare.troubles).toEqual([]);
      });
    });
  });

  test("is informed by the site while its scripts haven't run yet", async () => {
    await withBrowser(chromium, {}, async ({ page, context }) => {
      await context.route("**/*.js", (route) => route.abort());
      await page.goto(`${site.origin}/login`);
      await page.getByRole("button", { name: loginMessages.en.passkey }).click();
      await page.getByRole("alert").getByText(passkeyProblemMessages.en["passkey-missing"]).waitFor();
    });
  });
});

test.each(["light", "dark"] as const)("axe finds no problem in the passkeys section (%s)", async (colorScheme) => {
  await withBrowser(chromium, { colorScheme }, async (browsing) => {
    const page = await signUp(browsing, site, `axe-${colorScheme}@example.com`);
    await Device.plugInto(browsing);
    await addPasskey(page, "Desk");
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: removeDesk }).click();
    expect(await findings(page)).toEqual([]);
    await outdateReauthentications(site);
    await page.getByRole("button", { name: passkeys.removeNow }).click();
    await page.getByRole("button", { name: verifyMessages.en.passkey }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

describe("a page without passkeys", () => {
  test("doesn't load the passkey library", async () => {
    const librariesOf = (path: string, expected: number) =>
      withBrowser(chromium, {}, async (browsing) => {
        const responses: Response[] = [];
        browsing.page.on("response", (response) => responses.push(response));
        await open(browsing, site.origin + path);
        await browsing.page.waitForLoadState("networkidle");
        const loaded = async () => {
          const scripts = responses.filter((response) => response.url().endsWith(".js"));
          const texts = await Promise.all(scripts.map((script) => script.text()));
          return texts.filter((text) => text.includes("ERROR_CEREMONY_ABORTED")).length;
        };
        // On a busy machine the page asks for the library only after the network was idle once.
        await expect.poll(loaded, { timeout: 10_000 }).toBe(expected);
      });
    for (const path of ["/", "/signup", ...publicPages()]) await librariesOf(path, 0);
    await librariesOf("/login", 1);
  });
});
