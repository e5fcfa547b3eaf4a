import { describe, expect, test } from "vitest";
import { dayMs } from "#app/core/time/time.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter, ProductConfig } from "#app/modules/catalogue/rules.ts";
import { product } from "#app/product/config.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";
import { planAheadMessages } from "#app/routes/settings/plan/messages.ts";
import { askForCode, typeCode } from "#tests/support/clients/customers.ts";
import { withDevice } from "./with-device.ts";
import { emailOf, subjectOf } from "#tests/support/clients/email-texts.ts";
import { free, pages } from "#tests/support/billing/catalogue.ts";
import { useSite } from "#tests/support/site/use-site.ts";
import { asShown } from "#tests/support/clients/html.ts";

const config: ProductConfig = product;
const [meter] = config.meters;
const limitOf = (each: Meter) => free.limits[each.limit] ?? 0;
const limit = meter ? limitOf(meter) : 0;
const usage = usageMessages.en;

const site = useSite({ stripe: false });

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
    const { visitor, ask } = await withDevice(site, address);
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
    const excess = { label: meter?.label ?? "", used: write(over), limit: write(limit) };
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
    const { visitor, ask } = await withDevice(site, address);
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
