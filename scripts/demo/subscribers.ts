import { cards, expiryMonthOf } from "./customer.ts";
import { addedTo } from "./features.ts";
import { momentOf, type Person } from "./replay-demo.ts";
import { ago, berlin, large, london, needs, needsUpgrade, person, signsUp, small } from "./demo-events.ts";

/** With one more day, the newest renewal is complete: an invoice is charged an hour after it is created. */
const year = { months: 14, days: 1 };

export const subscribers: Person[] = [
  person("mara", "14 months of the small plan, all paid; two devices, three referred friends, one reward", [
    signsUp(year, { name: "Mara Lindqvist", locale: "en-GB", timeZone: "Europe/Stockholm" }),
    ago(year, ({ money }) => money.buys(small, "month")),
    ...addedTo("mara").flatMap(({ events }) => events),
    ago({ months: 5 }, (mara) => mara.linkIsOpened(5)),
    ago({ days: 20 }, (mara) => mara.installs("Mara's notebook", "Ubuntu 26.04", 0.12)),
    ago({ hours: 3 }, (mara) => mara.installs("DESKTOP-7Q2F1", "Windows 11", 0.31)),
    ago({ hours: 2 }, (mara) => mara.renamesDevice("The old laptop")),
  ]),
  person("jonas", "13 months of the small plan; company, address and VAT ID on the invoices", [
    signsUp({ months: 13 }, { name: "Jonas Ehlers", locale: "en-GB", timeZone: berlin }),
    ago({ months: 13 }, async ({ money }) => {
      await money.goesToCheckout(small, "year");
      await money.writesAddress("Ehlers Messtechnik GmbH", "DE", ["Lange Reihe 4", "20099", "Hamburg"]);
      await money.addsVatId("DE811234567");
      await money.buys(small, "year", { card: cards.another });
    }),
  ]),
  person(
    "amelie",
    "the large plan, upgraded from the small one in the middle of a period",
    [
      signsUp({ months: 12, days: 3 }, { name: "Amélie Fournier", locale: "en-GB", timeZone: "Europe/Paris" }),
      ago({ months: 12, days: 3 }, ({ money }) => money.buys(small, "month")),
      ago({ months: 7, days: 17 }, ({ money }) => money.changesTo(large, "month")),
      ago({ days: 1 }, (amelie) => amelie.installs("Studio", "macOS 26", 0.2)),
    ],
    needsUpgrade,
  ),
  person("sora", "the large plan, bought five months ago in Tokyo; times and formats are Japanese", [
    signsUp({ months: 5 }, { name: "Sora Tanaka", locale: "en-CA", timeZone: "Asia/Tokyo" }),
    ago({ months: 5 }, ({ money }) => money.buys(large, "year", { card: cards.asksOnce })),
  ]),
  person("orla", "more than five years of orders", [
    signsUp({ months: 62 }, { name: "Orla Byrne", locale: "en-GB", timeZone: "Europe/Dublin" }),
    ago({ months: 62 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 2 }, (orla) => orla.installs("Orla's laptop", "macOS 26", 0.44)),
  ]),
  person(
    "greta",
    "a yearly plan that renews in five days, with the email about it",
    [
      signsUp({ months: 12, days: -5 }, { name: "Greta Moser", locale: "en-GB", timeZone: "Europe/Vienna" }),
      ago({ months: 12, days: -5 }, ({ money }) => money.buys(small, "year")),
    ],
    needs("year"),
  ),
  person("paul", "a card that expires before the next payment", [
    signsUp({ months: 9, days: 3 }, { name: "Paul Okafor", locale: "en-GB", timeZone: london }),
    ago({ months: 9, days: 3 }, async ({ money, site }) =>
      money.buys(small, "month", { expiry: expiryMonthOf(momentOf({ days: 3 }, site.presentAt)) }),
    ),
  ]),
  person("hedda", "charges paused by the team: the plan stays active and no payment is due", [
    signsUp({ months: 8, days: 6 }, { name: "Hedda Lund", locale: "en-CA", timeZone: "Europe/Copenhagen" }),
    ago({ months: 8, days: 6 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 11 }, ({ money }) => money.isPutOnHold()),
  ]),
  person("freya", "a plan that the team has paused", [
    signsUp({ months: 5, days: 9 }, { name: "Freya Nilsen", locale: "en-GB", timeZone: "Europe/Oslo" }),
    ago({ months: 5, days: 9 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 4 }, ({ money }) => money.isPaused()),
  ]),
  person("runa", "a plan that Stripe has paused by itself", [
    signsUp({ months: 3, days: 8 }, { name: "Runa Solberg", locale: "en-GB", timeZone: "Europe/Oslo" }),
    ago({ months: 3, days: 8 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 3 }, ({ money }) => money.isPaused("system")),
  ]),
  person(
    "milan",
    "a trial of another plan, given by the team two days ago: the older plan ended and was partly refunded",
    [
      signsUp({ months: 4, days: 12 }, { name: "Milan Horvat", locale: "en-GB", timeZone: "Europe/Zagreb" }),
      ago({ months: 4, days: 12 }, ({ money }) => money.buys(small, "month")),
      ago({ days: 2 }, ({ money }) => money.tries(large, "month", 30)),
    ],
  ),
  person("emil", "a renewal that was created ten minutes ago and is charged within the hour", [
    signsUp({ months: 12, days: 1 }, { name: "Emil Sauer", locale: "en-GB", timeZone: berlin }),
    ago({ months: 12, minutes: 10 }, ({ money }) => money.buys(small, "month")),
  ]),
];
