import { addressOf } from "./address.ts";
import { cards } from "./customer.ts";
import type { Person } from "./play.ts";
import { ago, berlin, london, person, signsUp, small } from "./script.ts";

/** People without a paid plan, referred friends, and people who leave. */
export const guests: Person[] = [
  person("nora", "the free plan since half a year, with preferences of her own and another plan's waitlist", [
    signsUp({ months: 6 }, { name: "Nora Walsh", locale: "en-US", timeZone: "America/New_York" }),
    ago({ months: 6, days: -1 }, (nora) =>
      nora.prefers({ schedule: "manual", retentionDays: 14, notifyOnFailure: false }),
    ),
    ago({ days: 1 }, (nora) => nora.waitsInLine()),
  ]),
  person("anton", "an account of today, with nothing in it", [signsUp({ hours: 1 }, { name: "", timeZone: berlin })]),
  // With cards that no other demo customer has: a friend must be a new customer.
  person("ben", "came by Mara's link and paid: five back after the first payment, and Mara was rewarded for it", [
    signsUp({ months: 3 }, { name: "Ben Carter", locale: "en-GB", timeZone: london }, "mara"),
    ago({ months: 3 }, ({ money }) => money.buys(small, "year", { card: cards.ofBen })),
  ]),
  person(
    "selma",
    "came by Mara's link this month and paid; the discount is under review, since Mara's address has the same domain",
    [
      signsUp({ days: 9 }, { name: "Selma Berg", locale: "sv-SE", timeZone: "Europe/Stockholm" }, "mara"),
      ago({ days: 9 }, ({ money }) => money.buys(small, "year", { card: cards.ofSelma })),
    ],
  ),
  person(
    "ivo",
    "came by Mara's link and hasn't bought anything: five are waiting that go back after the first payment",
    [signsUp({ days: 15 }, { name: "Ivo Marić", locale: "en", timeZone: "Europe/Zagreb" }, "mara")],
  ),
  {
    now: addressOf("ingrid.olsen"),
    ...person("ingrid", "changed her address two days ago; the old one can take it back", [
      signsUp({ months: 9 }, { name: "Ingrid Olsen", locale: "nb-NO", timeZone: "Europe/Oslo" }),
      ago({ months: 9 }, ({ money }) => money.buys(small, "year")),
      ago({ days: 2 }, (ingrid) => ingrid.movesTo(addressOf("ingrid.olsen"))),
    ]),
  },
  person("gil", "is leaving since three days: eleven are left to come back", [
    signsUp({ months: 7 }, { name: "Gil Moreau", locale: "fr-FR", timeZone: "Europe/Paris" }),
    ago({ months: 7 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 3 }, (gil) => gil.leaves()),
  ]),
  {
    now: null,
    ...person("hanne", "left two months ago: the account is gone, its orders are kept without a name", [
      signsUp({ months: 10 }, { name: "Hanne Møller", locale: "da-DK", timeZone: "Europe/Copenhagen" }),
      ago({ months: 10 }, ({ money }) => money.buys(small, "month")),
      ago({ days: 60 }, (hanne) => hanne.leaves()),
    ]),
  },
];
