import { beforeAll, describe, expect, test } from "vitest";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { dayMs } from "#app/core/time/time.ts";
import { product } from "#app/product/config.ts";
import { withDevice } from "#app/features/devices/tests/http/with-device.ts";
import { free, minor, pattern, small } from "#tests/support/billing/catalogue.ts";
import { signUp } from "#tests/support/clients/customers.ts";
import { fillGaps, gap } from "#tests/support/clients/message-patterns.ts";
import type { Visitor } from "#tests/support/clients/visitor.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { sayRange } from "../../page/field.tsx";
import { preferencesMessages } from "../../page/messages.ts";
import { preferencesOf } from "../../preferences.rules.ts";
import { chosenPreferences, preferencesOfDevice, preferencesPage } from "../samples.ts";

const config: ProductConfig = product;
const own = preferencesOf(config);
const preferences = preferencesMessages.en;

let visitor: Visitor;
const site = useSite({ stripe: false });
beforeAll(async () => {
  visitor = await signUp(site, "pages@example.com", "");
});

async function run(sql: string, ...values: (string | number | null)[]): Promise<void> {
  const db = await site.database();
  await db
    .prepare(sql)
    .bind(...values)
    .run();
}

async function onPlan(): Promise<void> {
  await run(
    `insert or replace into subscriptions (id, account_id, state, plan_id, interval, amount_minor, currency, started_at,
       period_ends_at, synced_at) select 'sub_pages', id, 'active', ?1, 'month', ?2, ?3, 0, ?4, 0 from accounts`,
    small.id,
    minor(small),
    product.currency,
    Date.now() + 20 * dayMs,
  );
}

test("a number out of range is answered with the range, which its hint shows before", async () => {
  const number = own.find((preference) => preference.kind === "number");
  if (!number) return expect(own.map(({ kind }) => kind)).not.toContain("number");
  const { range, outOfRange } = preferences;
  const allowed = sayRange(number, "en");
  await visitor.open(preferencesPage);
  expect(visitor.text()).toContain(range(...allowed));
  for (const typed of [String(number.max + 1), String(number.min - 1), "much"]) {
    await visitor.post({ ...chosenPreferences, [number.key]: typed, intent: "save" }, preferencesPage);
    expect([typed, visitor.status]).toEqual([typed, 422]);
    expect(visitor.text().split(outOfRange(...allowed))).toHaveLength(3);
  }
});

test("a number above the plan's limit is refused, and accepted on a plan that allows it", async () => {
  const number = own.find(
    (preference) => preference.kind === "number" && (free.limits[preference.limit ?? ""] ?? Infinity) < preference.max,
  );
  if (number?.kind !== "number") return expect(own.some((each) => "limit" in each)).toBe(false);
  const most = free.limits[number.limit ?? ""] ?? 0;
  const save = (value: number) =>
    visitor.post({ ...chosenPreferences, [number.key]: String(value), intent: "save" }, preferencesPage);
  await run("delete from subscriptions");
  await save(most + 1);
  expect(visitor.status).toBe(422);
  expect(visitor.text()).toContain(preferences.outOfRange(...sayRange({ ...number, max: most }, "en")));
  await onPlan();
  await save(most + 1);
  expect(visitor.status).toBe(200);
  expect(visitor.html).toContain(`value="${most + 1}"`);
});

describe("preferences", () => {
  test("that a device changed are shown on the page with device and value, until the owner saves", async () => {
    const { visitor, ask } = await withDevice(site, "prefers@example.com");
    const shown = await ask("GET", "/settings");
    expect([shown.status, shown.headers.get("Server-Timing")]).toEqual([200, 'd1;desc="1", d1-in-a-row;desc="1"']);
    const etag = shown.headers.get("ETag") ?? "";
    const answer = await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": etag });
    expect([answer.status, await answer.json()]).toEqual([200, preferencesOfDevice]);
    await visitor.open(preferencesPage);
    const { title, change } = preferences.byDevices;
    expect(visitor.text()).toContain(title("Anna's machine"));
    for (const { label } of own) expect(visitor.text()).toMatch(fillGaps(change(label, gap, gap)));
    await visitor.press(preferences.save);
    expect(visitor.text()).not.toMatch(fillGaps(title(gap)));
    const late = await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": etag });
    expect([late.status, late.headers.get("Content-Type")]).toEqual([412, "application/problem+json"]);
    expect(await late.json()).toMatchObject({ code: "changed-elsewhere", current: preferencesOfDevice });
  });

  const currentValue = new RegExp(fillGaps(preferences.currentValue(gap), /.+?/), "g");
  const meanwhile = new RegExp(pattern`${preferences.taken}`, "g");
  const defaults = Object.fromEntries(own.map((preference) => [preference.key, preference.default]));
  const [first, second] = own.filter(({ kind }) => kind !== "switch").map(({ key }) => key);
  if (!first || !second) throw new Error("These tests change two preferences of the config that are no switches");

  test("that a device changed while the page was open have the newer value where the owner left them alone, and are saved so", async () => {
    const { visitor, ask } = await withDevice(site, "conflict@example.com");
    await visitor.open(preferencesPage);
    const { [second]: others, ...byDevice } = preferencesOfDevice;
    await ask("PUT", "/settings", byDevice, { "If-Match": "*" });
    await visitor.press(preferences.save, { [second]: chosenPreferences[second] ?? "" });
    expect(visitor.status).toBe(412);
    expect(visitor.text()).toContain(preferences.changedElsewhere.title);
    expect(visitor.text()).not.toMatch(currentValue);
    expect(visitor.text().match(meanwhile)).toHaveLength(own.length - 1);
    expect(await (await ask("GET", "/settings")).json()).toEqual({ ...byDevice, [second]: defaults[second] });
    await visitor.press(preferences.saveAgain);
    expect(visitor.status).toBe(200);
    expect(await (await ask("GET", "/settings")).json()).toEqual({ ...byDevice, [second]: others });
  });

  test("that both changed are shown with both values, also when a device changes them again", async () => {
    const { visitor, ask } = await withDevice(site, "twice@example.com");
    await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": "*" });
    await visitor.open(preferencesPage);
    const byDevice = async (key: string) => ask("PUT", "/settings", { [key]: defaults[key] }, { "If-Match": "*" });
    const choice = own.find(({ key }) => key === first);
    const third = choice?.kind === "choice" ? choice.options.map(({ value }) => value) : [];
    const value = third.find((each) => each !== choice?.default && each !== preferencesOfDevice[first]);
    const typed = value ?? String(choice?.kind === "number" ? choice.min + 1 : preferencesOfDevice[first]);
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
    const { visitor, ask } = await withDevice(site, "wrong@example.com");
    await visitor.open(preferencesPage);
    await ask("PUT", "/settings", preferencesOfDevice, { "If-Match": "*" });
    await visitor.press(preferences.save, { [first]: "much" });
    expect(visitor.status).toBe(422);
    await visitor.press(preferences.save, { [first]: String(defaults[first]) });
    expect([visitor.status, visitor.text().match(currentValue)]).toEqual([412, null]);
    expect(await (await ask("GET", "/settings")).json()).toEqual(preferencesOfDevice);
  });
});
