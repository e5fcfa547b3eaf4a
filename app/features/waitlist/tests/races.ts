import { expect } from "vitest";
import { eventOf, payWithoutEvents } from "#tests/faults/payment-races.ts";
import { count, crowd, expectRefused, forty, ledTo, type Race } from "#tests/faults/race.ts";
import { large } from "#tests/support/billing/catalogue.ts";
import { ordersOfCustomer } from "#tests/support/billing/customer-orders.ts";
import { askForCode, openCheckout, typeCode } from "#tests/support/clients/customers.ts";
import { waitlistEntryMessages } from "../page/entry.messages.ts";
import { waitlistMessages } from "../page/messages.ts";
import { waitlistVisitors } from "./http/waitlist-visitors.ts";

export const waitlistRaces: Race[] = [
  {
    name: "joining the waitlist is one entry and one email, confirmed once and left once",
    async run(site, mark) {
      const address = `waits-${mark}@example.com`;
      const line = waitlistVisitors(site);
      const asking = await site.visitor().open("/waitlist");
      const requests = await forty(site, asking.preparePress(waitlistMessages.en.join.submit, { email: address }));
      expect(ledTo(requests)).toEqual({ "/waitlist": crowd });
      const entry = (state: string) =>
        count(site, `entries where email_canonical = ?1 and state = '${state}'`, address);
      expect(await entry("pending")).toBe(1);
      expect(await line.subjectsTo(address)).toHaveLength(1);
      const last = await (await site.database()).prepare("select max(number) as n from entries").first<number>("n");
      const visitor = await site.visitor().open(await line.linkTo(address, "confirm"));
      const confirmed = await forty(site, visitor.preparePress(waitlistMessages.en.confirm.open.button));
      expect(ledTo(confirmed)).toEqual({ "/waitlist": crowd });
      expect(await count(site, `entries where email_canonical = ?1 and number = ${(last ?? 0) + 1}`, address)).toBe(1);
      await visitor.press(waitlistMessages.en.confirm.open.button);
      const left = await forty(site, visitor.prepare({ intent: "leave" }));
      expectRefused(left, 409, "");
      expect(await entry("left")).toBe(1);
      const wrong = `select g, l, b from (
        select gate as g, level as l, bucket as b, waiting as n from queue_counts where waiting > 0
        except select gate, level, sort_number >> level, count(*) from entries, (select 5 as level union all select 10 union all
          select 15 union all select 20) where state = 'waiting' group by 1, 2, 3)`;
      expect((await (await site.database()).prepare(wrong).all()).results).toEqual([]);
    },
  },
  {
    name: "an accepted invitation opens one purchase, and is used once",
    async run(site, mark) {
      const address = `invited-${mark}@example.com`;
      const line = waitlistVisitors(site);
      const place = await line.joined(address);
      expect(await line.invite(1)).toBe(1);
      await place.open(place.url);
      const accepted = await forty(site, place.preparePress(waitlistEntryMessages.en.invitation.button));
      expect(Object.values(ledTo(accepted))).toEqual([crowd]);
      expect(await count(site, "entries where email_canonical = ?1 and accepted_at is not null", address)).toBe(1);
      await (await site.database()).exec("delete from quota_uses");
      const visitor = await site.visitor().open(`/signup?plan=${large.id}&interval=month`);
      await askForCode(visitor, address);
      await typeCode(visitor, await site.codeTo(address, 2));
      await visitor.open(`/settings/upgrade?plan=${large.id}&interval=month`);
      await forty(site, visitor.prepareSubmit("quote"));
      expect(await ordersOfCustomer(site, address)).toMatchObject([{ state: "pending" }]);
      await (await site.database()).exec("delete from quota_uses");
      await openCheckout(visitor);
      await payWithoutEvents(site, visitor);
      await forty(site, await eventOf(site, address, "invoice.paid"));
      await site.runCron();
      expect(await count(site, "entries where email_canonical = ?1 and state = 'joined'", address)).toBe(1);
    },
  },
];
