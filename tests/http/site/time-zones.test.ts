import { product } from "#app/product/config.ts";
import { profileMessages } from "#app/routes/settings/profile/messages.ts";
import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { askForChange, askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";

let people = 0;

/** As deployed: only there is the platform's location of a request trusted. Here it is what miniflare says. */
const deployed = {
  PUBLIC_ORIGIN: "https://shop.example",
  CODE_PEPPER: "a-pepper-of-this-test-alone-32-letters",
  VISIT_SECRET: "a-secret-of-this-test-alone-32-letters",
  ENTITLEMENT_SIGNING_KEY: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  OPERATOR_TOKEN: "",
  CLOCK_OFFSET_SECONDS: "",
};
const platformZone = "America/Chicago";

const site = useSite({ stripe: false, vars: deployed });

async function signedUp(fields: Record<string, string> = {}): Promise<{ visitor: Visitor; address: string }> {
  people += 1;
  // A deployed site emails no reserved domain.
  const address = `person-${people}@mail-of-this-test.net`;
  const visitor = await site.visitor().open("/signup");
  await askForCode(visitor, address);
  await visitor.submit("code", { code: await site.codeTo(address), ...fields });
  return { visitor, address };
}

async function zoneOf(address: string): Promise<string | null> {
  const database = await site.database();
  return database.prepare("select time_zone from accounts where email = ?").bind(address).first("time_zone");
}

function chosenIn({ html }: Visitor): string | undefined {
  const select = /<select[^>]*name="timeZone"[\s\S]*?<\/select>/.exec(html)?.[0] ?? "";
  return /<option value="([^"]*)" selected/.exec(select)?.[1];
}

test("a new account gets the browser's time zone, or otherwise the one of its location according to the platform", async () => {
  const named = await signedUp({ timeZone: "Asia/Calcutta" });
  const silent = await signedUp();
  const wrong = await signedUp({ timeZone: "Mars/Olympus" });
  expect(await Promise.all([named, silent, wrong].map(({ address }) => zoneOf(address)))).toEqual([
    "Asia/Kolkata",
    platformZone,
    platformZone,
  ]);
});

test.each(["UTC", "Europe/Kyiv", "Asia/Kolkata", "Asia/Calcutta"])(
  "%s, once chosen, is selected in the list, and stays when only a name is saved",
  async (timeZone) => {
    const { visitor, address } = await signedUp();
    await visitor.post({ intent: "profile", name: "", timeZone }, "/settings/profile");
    const stored = timeZone === "Asia/Calcutta" ? "Asia/Kolkata" : timeZone;
    expect(chosenIn(visitor)).toBe(stored);
    await visitor.press(profileMessages.en.profile.save, { name: "Mara" });
    expect(visitor.html).toContain('value="Mara"');
    expect([chosenIn(visitor), await zoneOf(address)]).toEqual([stored, stored]);
  },
);

test("a changed time zone applies to the next page and the next email", async () => {
  const { visitor, address } = await signedUp();
  await visitor.post({ intent: "profile", name: "", timeZone: "Asia/Kolkata" }, "/settings/profile");
  await visitor.open("/settings/security");
  expect(visitor.html).toMatch(/<time [^>]*title="[^"]*GMT\+5:30"/);
  expect(visitor.html).not.toMatch(/<time [^>]*title="[^"]*(CST|CDT|GMT-\d)"/);
  await askForChange(visitor, "elsewhere@mail-of-this-test.net");
  await typeCode(visitor, await site.codeTo("elsewhere@mail-of-this-test.net"));
  const database = await site.database();
  const until = await database
    .prepare("select revert_expires_at from address_changes order by changed_at desc limit 1")
    .first<number>("revert_expires_at");
  const time = new Intl.DateTimeFormat(product.locale, { timeStyle: "short", timeZone: "Asia/Kolkata" }).format(
    until ?? 0,
  );
  const [email] = await site.emailsTo(address, 2);
  expect(email?.text.replaceAll(/\s/g, " ")).toContain(`, ${time.replaceAll(/\s/g, " ")}`);
});
