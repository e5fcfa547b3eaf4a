import { expect } from "vitest";
import { withdrawMessages } from "#app/routes/withdraw/messages.ts";
import { pages, small } from "#tests/support/billing/catalogue.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { licenceKeyOf, signUp, subscriber } from "#tests/support/clients/customers.ts";
import type { Site } from "#tests/support/site/site.ts";
import { subjectOf } from "#tests/support/clients/email-texts.ts";
import { activation } from "./device-requests.ts";
import { count, crowd, figures, forty, ledTo, own, type Race, statuses, together } from "./race.ts";

const seats = (site: Site, address: string) =>
  count(site, `devices where account_id in ${own} and state = 'active'`, address);

export const productApiRaces: Race[] = [
  {
    name: "forty machines get the available seats, and no more",
    async run(site, mark) {
      const address = `seats-${mark}@example.com`;
      const key = await licenceKeyOf(await subscriber(site, address));
      const answers = await together(
        site,
        Array.from({ length: crowd }, (_, index) => activation(key, `${mark}-${index}`)),
      );
      const { devices } = small.limits;
      expect(statuses(answers)).toEqual({ 201: devices, 409: crowd - devices });
      for (const { status, text } of answers) if (status === 409) expect(JSON.parse(text).code).toBe("seats-full");
      expect(await seats(site, address)).toBe(devices);
    },
  },
  {
    name: "one machine is one device",
    async run(site, mark) {
      const address = `machine-${mark}@example.com`;
      const key = await licenceKeyOf(await signUp(site, address));
      const answers = await forty(site, activation(key, mark));
      expect(statuses(answers)).toEqual({ 201: crowd });
      expect(new Set(answers.map(({ text }) => JSON.parse(text).deviceToken)).size).toBe(1);
      expect(await seats(site, address)).toBe(1);
    },
  },
  {
    name: "a withdrawal is declared once, with one email",
    async run(site, mark) {
      const address = `withdraws-${mark}@example.com`;
      await subscriber(site, address);
      const [order] = await ordersOfCustomer(site, address);
      const visitor = await site.visitor().open("/withdraw");
      await visitor.press(withdrawMessages.en.form.submit, {
        name: "Mara Example",
        order: order?.number ?? "",
        email: address,
      });
      const answers = await forty(site, visitor.preparePress(withdrawMessages.en.review.submit));
      expect(ledTo(answers)).toEqual({ "/withdraw": crowd });
      expect(answers.filter(({ headers }) => headers.get("Location") === "/withdraw?declared")).toHaveLength(1);
      expect(await count(site, "withdrawals where email = ?1", address)).toBe(1);
      const emails = await site.emailsTo(address, 3);
      expect(emails.filter(({ subject }) => subjectOf("withdrawal-acknowledged").test(subject))).toHaveLength(1);
    },
  },
  {
    name: "a licence key is replaced once, with one email",
    async run(site, mark) {
      const address = `key-${mark}@example.com`;
      const visitor = await signUp(site, address);
      const before = await licenceKeyOf(visitor);
      const answers = await forty(site, visitor.prepare({ intent: "rotate-key" }, pages.account));
      expect(statuses(answers)).toEqual({ 303: crowd });
      expect((await together(site, [activation(before, mark)])).map(({ status }) => status)).toEqual([401]);
      expect(
        (await together(site, [activation(await licenceKeyOf(visitor), mark)])).map(({ status }) => status),
      ).toEqual([201]);
      const lines = { lines: `activities where account_id in ${own} and what like '%key-rotated%'` };
      expect(await figures(site, address, lines)).toEqual({ lines: 1 });
    },
  },
];
