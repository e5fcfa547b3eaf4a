import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { usageMessages } from "#app/routes/settings/devices/usage.messages.ts";
import { planAheadMessages } from "#app/routes/settings/plan/texts/plan-ahead.messages.ts";
import { preferencesMessages } from "#app/routes/settings/preferences/messages.ts";
import { sayExcess } from "#app/routes/settings/say-excess.ts";
import { activateDevice, askForCode, licenceKeyOf, signUp, typeCode } from "#tests/support/clients/customers.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import { chosenPreferences, free, pages, pattern, preferencesOfDevice } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { asShown } from "#tests/support/clients/html.ts";

const config: ProductConfig = product;
const [meter] = config.meters;
const limitOf = (each: Meter) => free.limits[each.limit] ?? 0;
const limit = meter ? limitOf(meter) : 0;
const usage = usageMessages.en;
const preferences = preferencesMessages.en;

const site = useSite({ stripe: false });

/** An account with a device, as the product sees it and as the site does. */
async function withDevice(address: string, name = "Anna's machine") {
  const visitor = await signUp(site, address, "");
  const { deviceToken: token } = await activateDevice(site, await licenceKeyOf(visitor), name);
  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    site.fetch(`/api/v1${path}`, {
      method,
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers },
      body: body && JSON.stringify(body),
    });
  return { visitor, ask };
}

const write = (value: number) => formatQuantity(value, meter?.unit ?? "count", product.locale);
const say = (value: number) => asShown(write(value));

/** What the page says of a meter that no device has reported. */
const unreported = (each: Meter) =>
  `${each.label} ${asShown(usage.none(formatQuantity(limitOf(each), each.unit, product.locale)))}`;

const limitSubjects = [subjectOf("usage-high"), subjectOf("usage-full")];
const isAboutLimit = ({ subject }: { subject: string }) => limitSubjects.some((about) => about.test(subject));

describe("usage of a device", () => {
  test("is shown on the page and emailed, also when it exceeds the limit", async () => {
    const address = "uses@example.com";
    const { visitor, ask } = await withDevice(address);
    await visitor.open(pages.account);
    for (const each of config.meters) expect(visitor.text()).toContain(unreported(each));
    const at = Date.now();
    const used = Math.floor(limit / 2);
    const first = await ask("PUT", "/usage", {
      meter: meter?.key,
      value: used,
      at: new Date(at - 1).toISOString(),
    });
    expect([first.status, first.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="1", d1-in-a-row;desc="1"']);
    expect(await first.json()).toEqual({ meter: meter?.key, used, limit });
    await visitor.open(pages.account);
    expect(visitor.text()).toContain(usage[meter?.kind ?? "last"](say(used), say(limit)));
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');

    const over = Math.ceil(limit * 1.2);
    expect((await ask("PUT", "/usage", { meter: meter?.key, value: over, at })).status).toBe(200);
    expect((await ask("PUT", "/usage", { meter: meter?.key, value: over, at })).status).toBe(200);
    await visitor.open(pages.account);
    expect(visitor.text()).toContain(usage.over[meter?.kind ?? "last"](say(over - limit)));
    await visitor.open("/settings");
    const excess = sayExcess(
      { label: meter?.label ?? "", unit: meter?.unit ?? "count", used: over, limit },
      product.locale,
    );
    expect(visitor.text()).toContain(asShown(planAheadMessages.en.excess(free.name, excess)));
    expect(visitor.headers.get("Server-Timing")).toBe('d1;desc="2", d1-in-a-row;desc="1"');
    // After the code of the sign-up.
    const emails = (await site.emailsTo(address, 2)).filter(isAboutLimit);
    const facts = { what: meter?.label ?? "", used: write(over), limit: write(limit), url: "", offUrl: "" };
    const { subject, before } = emailOf({ template: "usage-full", ...facts });
    expect(emails.map((email) => email.subject)).toEqual([subject]);
    for (const sentence of before) expect(emails[0]?.text).toContain(sentence);
  });
});

describe("a meter's month", () => {
  test("ends by the site's clock: a maximum starts again, a last value stays, and warnings are sent once more", async () => {
    const address = "months@example.com";
    const { visitor, ask } = await withDevice(address);
    const say = (key: string, value: number, at: number) => ask("PUT", "/usage", { meter: key, value, at });
    for (const each of config.meters) await say(each.key, limitOf(each), Date.now());
    const expectEmails = async (count: number) => {
      const sentEmails = (await site.emailsTo(address, count + 1)).filter(isAboutLimit);
      expect(sentEmails).toHaveLength(count);
    };
    await expectEmails(config.meters.length);
    const days = 32;
    await site.setClock(days);
    try {
      await visitor.open("/login");
      await askForCode(visitor, address);
      await typeCode(visitor, await site.codeTo(address, config.meters.length + 2));
      await visitor.open(pages.account);
      for (const each of config.meters) {
        if (each.kind === "maximum") expect(visitor.text()).toContain(unreported(each));
        else expect(visitor.text()).not.toContain(unreported(each));
      }
      for (const each of config.meters) await say(each.key, limitOf(each), Date.now() + days * dayMs);
      await expectEmails(2 * config.meters.length);
    } finally {
      await site.setClock(0);
    }
  });
});

describe("preferences", () => {
  test("that a device changed are shown on the page with device and value, until the owner saves", async () => {
    const { visitor, ask } = await withDevice("prefers@example.com");
    const shown = await ask("GET", "/settings");
    expect([shown.status, shown.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="1", d1-in-a-row;desc="1"']);
    const etag = shown.headers.get("ETag") ?? "";
    const answer = await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": etag });
    expect([answer.status, await answer.json()]).toEqual([200, preferencesOfDevice]);
    await visitor.open(pages.preferences);
    const { title, change } = preferences.byDevices;
    expect(visitor.text()).toContain(title("Anna's machine"));
    for (const { label } of config.preferences) expect(visitor.text()).toMatch(fillGaps(change(label, gap, gap)));
    await visitor.press(preferences.save);
    expect(visitor.text()).not.toMatch(fillGaps(title(gap)));
    const late = await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": etag });
    expect([late.status, late.headers.get("Content-Type")]).toEqual([412, "application/problem+json"]);
    expect(await late.json()).toMatchObject({ code: "changed-elsewhere", current: preferencesOfDevice });
  });

  const currentValue = new RegExp(fillGaps(preferences.currentValue(gap), /.+?/), "g");
  const meanwhile = new RegExp(pattern`${preferences.taken}`, "g");
  const defaults = Object.fromEntries(config.preferences.map((preference) => [preference.key, preference.default]));
  const [first, second] = config.preferences.filter(({ kind }) => kind !== "switch").map(({ key }) => key);
  if (!first || !second) throw new Error("These tests change two preferences of the config that are no switches");

  test("that a device changed while the page was open have the newer value where the owner left them alone, and are saved so", async () => {
    const { visitor, ask } = await withDevice("conflict@example.com");
    await visitor.open(pages.preferences);
    const { [second]: others, ...byDevice } = preferencesOfDevice;
    await ask("PUT", "/settings", byDevice, { "If-Match": "*" });
    await visitor.press(preferences.save, { [second]: chosenPreferences[second] ?? "" });
    expect(visitor.status).toBe(412);
    expect(visitor.text()).toContain(preferences.changedElsewhere.title);
    expect(visitor.text()).not.toMatch(currentValue);
    expect(visitor.text().match(meanwhile)).toHaveLength(config.preferences.length - 1);
    expect(await (await ask("GET", "/settings")).json()).toEqual({ ...byDevice, [second]: defaults[second] });
    await visitor.press(preferences.saveAgain);
    expect(visitor.status).toBe(200);
    expect(await (await ask("GET", "/settings")).json()).toEqual({ ...byDevice, [second]: others });
  });

  test("that both changed are shown with both values, also when a device changes them again", async () => {
    const { visitor, ask } = await withDevice("twice@example.com");
    await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": "*" });
    await visitor.open(pages.preferences);
    const byDevice = async (key: string) => ask("PUT", "/settings", { [key]: defaults[key] }, { "If-Match": "*" });
    const own = config.preferences.find(({ key }) => key === first);
    const third = own?.kind === "choice" ? own.options.map(({ value }) => value) : [];
    const value = third.find((each) => each !== own?.default && each !== preferencesOfDevice[first]);
    const typed = value ?? String(own?.kind === "number" ? own.min + 1 : preferencesOfDevice[first]);
    await byDevice(first);
    await visitor.press(preferences.save, { [first]: typed });
    expect([visitor.text().match(currentValue)?.length, visitor.text().match(meanwhile)]).toEqual([1, null]);
    await byDevice(second);
    await visitor.press(preferences.saveAgain);
    expect([visitor.status, visitor.text().match(currentValue)]).toEqual([412, null]);
    expect(visitor.text().match(meanwhile)).toHaveLength(1);
    await visitor.press(preferences.saveAgain);
    const saved = (await (await ask("GET", "/settings")).json()) as Record<string, unknown>;
    expect([String(saved[first]), saved[second]]).toEqual([typed, defaults[second]]);
  });

  test("that were mistyped while a device changed others keep the typed text and the values they were shown with", async () => {
    const { visitor, ask } = await withDevice("wrong@example.com");
    await visitor.open(pages.preferences);
    await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": "*" });
    await visitor.press(preferences.save, { [first]: "much" });
    expect(visitor.status).toBe(422);
    await visitor.press(preferences.save, { [first]: String(defaults[first]) });
    expect([visitor.status, visitor.text().match(currentValue)]).toEqual([412, null]);
    expect(await (await ask("GET", "/settings")).json()).toEqual(preferencesOfDevice);
  });
});
