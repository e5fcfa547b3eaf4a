import { describe, expect, test } from "vitest";
import { testModeMessages } from "#app/modules/email/messages/test-mode.messages.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { addresses } from "#tests/support/site/addresses.ts";
import { startSite } from "#tests/support/site/site.ts";
import { useSite } from "#tests/support/site/use-site.ts";

const { label, text } = testModeMessages.en;
const address = "tester@example.com";

describe("a site with a key of Stripe's test mode", () => {
  const site = useSite({ vars: { LAUNCH_GATE: "none", STRIPE_SECRET_KEY: "sk_test_of_this_test" } });

  test("shows it on every page, signed in or not, including missing pages", async () => {
    const visitor = await signUp(site, address);
    const paths = addresses.map(({ path }) => path);
    const silent: string[] = [];
    let counted = 0;
    for (const path of new Set(paths)) {
      for (const who of [visitor, site.visitor()]) {
        await who.open(path);
        if (!who.headers.get("Content-Type")?.startsWith("text/html")) continue;
        counted += 1;
        if (!who.text().includes(`${label}: ${text}`)) silent.push(`${path} leads to ${who.path()}`);
      }
    }
    expect(silent).toEqual([]);
    expect(counted).toBeGreaterThan(30);
  });

  test.each([
    [405, "a method that nothing takes", "/", "DELETE", "here"],
    [405, "a form for an address that takes none", "/robots.txt", "POST", "here"],
    [403, "a form from another site", "/login", "POST", "https://evil.example"],
  ])("shows it on the plain page (%i) for %s", async (status, _what, path, method, from) => {
    const answer = await site.fetch(path, { method, headers: { Origin: from === "here" ? site.origin : from } });
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(`${label}: ${text}`);
  });

  test("shows it in every email, in its subject and both parts, and keeps the code the only run of eight digits", async () => {
    const emails = await site.emailsTo(address);
    for (const email of emails) {
      expect(email.subject).toContain(`[${label}] `);
      expect(email.text).toContain(text);
      expect(email.html).toContain(text);
    }
    expect(emails.map(({ subject }) => subject.match(/\d{8}/g)?.length ?? 0)).toEqual([1]);
  });
});

test("a site with the Stripe emulator has no notice", async () => {
  const site = await startSite({ vars: { LAUNCH_GATE: "none" } });
  try {
    const visitor = await site.visitor().open("/");
    expect(visitor.text()).not.toContain(label);
  } finally {
    await site.close();
  }
});
