import { addressOf } from "./address.ts";
import { cards } from "./customer.ts";
import { addedTo } from "./features.ts";
import type { Person } from "./replay-demo.ts";
import { ago, berlin, london, person, signsUp, small } from "./demo-events.ts";

/** People without a paid plan, referred friends, and people who leave. */
export const withoutPlan: Person[] = [
  person("nora", ["on the free plan for six months", ...addedTo("nora").map(({ has }) => has)].join(", with "), [
    signsUp({ months: 6 }, { name: "Nora Walsh", locale: "en-US", timeZone: "America/New_York" }),
    ...addedTo("nora").flatMap(({ events }) => events),
  ]),
  person("anton", "an empty account, created today", [signsUp({ hours: 1 }, { name: "", timeZone: berlin })]),
  // These friends pay with cards that no other demo customer has, since a friend must be a new customer.
  person("ben", "referred by Mara: got the discount after his first payment, and Mara got her reward", [
    signsUp({ months: 3 }, { name: "Ben Carter", locale: "en-GB", timeZone: london }, "mara"),
    ago({ months: 3 }, ({ money }) => money.buys(small, "year", { card: cards.ofBen })),
  ]),
  person(
    "selma",
    "referred by Mara this month and has paid; the discount is under review because both addresses have the same domain",
    [
      signsUp({ days: 9 }, { name: "Selma Berg", locale: "en-CA", timeZone: "Europe/Stockholm" }, "mara"),
      ago({ days: 9 }, ({ money }) => money.buys(small, "year", { card: cards.ofSelma })),
    ],
  ),
  person("ivo", "referred by Mara and hasn't bought anything: the discount is waiting for his first payment", [
    signsUp({ days: 15 }, { name: "Ivo Marić", locale: "en-GB", timeZone: "Europe/Zagreb" }, "mara"),
  ]),
  {
    now: addressOf("ingrid.olsen"),
    ...person("ingrid", "changed her email address two days ago; the old address can undo it", [
      signsUp({ months: 9 }, { name: "Ingrid Olsen", locale: "en-GB", timeZone: "Europe/Oslo" }),
      ago({ months: 9 }, ({ money }) => money.buys(small, "year")),
      ago({ days: 2 }, (ingrid) => ingrid.changesAddress(addressOf("ingrid.olsen"))),
    ]),
  },
  person("gil", "closed his account three days ago; he can restore it for another eleven", [
    signsUp({ months: 7 }, { name: "Gil Moreau", locale: "en-GB", timeZone: "Europe/Paris" }),
    ago({ months: 7 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 3 }, (gil) => gil.leaves()),
  ]),
  {
    now: null,
    ...person("hanne", "closed her account two months ago: it's erased, and its orders are stored without a name", [
      signsUp({ months: 10 }, { name: "Hanne Møller", locale: "en-CA", timeZone: "Europe/Copenhagen" }),
      ago({ months: 10 }, ({ money }) => money.buys(small, "month")),
      ago({ days: 60 }, (hanne) => hanne.leaves()),
    ]),
  },
];
