import type { Person } from "./replay-demo.ts";
import { ago, berlin, large, london, needsUpgrade, person, signsUp, small } from "./demo-events.ts";

/** Customers who got a refund or a credit. */
export const moneyBack: Person[] = [
  person("hugo", "an order of which a third was refunded", [
    signsUp({ months: 7, days: 11 }, { name: "Hugo Silva", locale: "en-GB", timeZone: "America/Sao_Paulo" }),
    ago({ months: 7, days: 11 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 2, days: 8 }, ({ money }) => money.isRefunded(1 / 3)),
  ]),
  person(
    "edith",
    "one sale with all its documents: a purchase, a change of plan months later, and a third of that refunded",
    [
      signsUp({ months: 4 }, { name: "Edith Baumann", locale: "en-GB", timeZone: berlin }),
      ago({ months: 4 }, async ({ money }) => {
        await money.goesToCheckout(small, "year");
        await money.writesAddress("Edith Baumann", "DE", ["Karl-Heine-Straße 21", "04229", "Leipzig"]);
        await money.buys(small, "year");
      }),
      ago({ days: 40 }, ({ money }) => money.changesTo(large, "year")),
      ago({ days: 21 }, ({ money }) => money.isRefunded(1 / 3)),
    ],
    needsUpgrade,
  ),
  person("elin", "an order that was refunded in full: the plan ended with it", [
    signsUp({ months: 4 }, { name: "Elin Virtanen", locale: "en-CA", timeZone: "Europe/Helsinki" }),
    ago({ months: 4 }, ({ money }) => money.buys(large, "year")),
    ago({ months: 4, days: -6 }, ({ money }) => money.isRefunded()),
  ]),
  person(
    "ylva",
    "a plan that was refunded two days ago, and three devices: an email and the page give her 12 days to choose",
    [
      signsUp({ days: 9 }, { name: "Ylva Norén", locale: "en-CA", timeZone: "Europe/Stockholm" }),
      ago({ days: 9 }, ({ money }) => money.buys(small, "month")),
      ago({ days: 8 }, (ylva) => ylva.installs("Ylva's tablet", "Android 16", 0.02)),
      ago({ days: 7 }, (ylva) => ylva.installs("The office computer", "Windows 11", 0.04)),
      ago({ days: 3 }, (ylva) => ylva.installs("Ylva's notebook", "macOS 26", 0.03)),
      ago({ days: 2 }, async ({ money, site }) => {
        await money.isRefunded();
        await site.sweep();
      }),
    ],
  ),
  person("rui", "an open dispute that needs a response", [
    signsUp({ months: 3, days: 4 }, { name: "Rui Almeida", locale: "en-GB", timeZone: "Europe/Lisbon" }),
    ago({ months: 3, days: 4 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 2 }, ({ money }) => money.isDisputed()),
  ]),
  person("silas", "a payment that his bank reported as fraud yesterday", [
    signsUp({ days: 6 }, { name: "Silas Wouters", locale: "en-GB", timeZone: "Europe/Amsterdam" }),
    ago({ days: 6 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 1 }, ({ money }) => money.isReportedAsFraud()),
  ]),
  person("finn", "a dispute that was won", [
    signsUp({ months: 8, days: 6 }, { name: "Finn Gallagher", locale: "en-GB", timeZone: "Europe/Dublin" }),
    ago({ months: 8, days: 6 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 5, days: 2 }, ({ money }) => money.isDisputed()),
    ago({ months: 5, days: -3 }, ({ money }) => money.isDisputed("won")),
  ]),
  person("zoe", "a dispute that was lost", [
    signsUp({ months: 6, days: 2 }, { name: "Zoë Peeters", locale: "en-GB", timeZone: "Europe/Brussels" }),
    ago({ months: 6, days: 2 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 5, days: 25 }, ({ money }) => money.isDisputed()),
    ago({ months: 5, days: 4 }, ({ money }) => money.isDisputed("lost")),
  ]),
  person("carla", "credit that was partly used by the last orders", [
    signsUp({ months: 12, days: 10 }, { name: "Carla Bianchi", locale: "en-GB", timeZone: "Europe/Rome" }),
    ago({ months: 12, days: 10 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 2, days: 20 }, ({ money }) => money.isCredited(10 / 3, "For last week's outage")),
  ]),
  person("dora", "a withdrawal from last week's order, acknowledged and not yet refunded", [
    signsUp({ days: 7 }, { name: "Dora Schmidt", locale: "en-GB", timeZone: berlin }),
    ago({ days: 7 }, ({ money }) => money.buys(small, "year")),
    ago({ days: 1 }, ({ money }) => money.withdraws("Dora Schmidt")),
  ]),
  person("ruth", "a withdrawal that was refunded: the plan ended with it", [
    signsUp({ days: 30 }, { name: "Ruth Hughes", locale: "en-GB", timeZone: london }),
    ago({ days: 30 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 25 }, ({ money }) => money.withdraws("Ruth Hughes")),
    ago({ days: 23 }, ({ money }) => money.isRefunded()),
  ]),
  person("kaspar", "a withdrawal that was too late and wasn't accepted", [
    signsUp({ days: 40 }, { name: "Kaspar Vogel", locale: "en-GB", timeZone: berlin }),
    ago({ days: 40 }, ({ money }) => money.buys(small, "year")),
    ago({ days: 12 }, ({ money }) => money.withdraws("Kaspar Vogel")),
    ago({ days: 11 }, ({ money }) => money.isContested("The 14-day withdrawal period had ended two weeks earlier.")),
  ]),
  person("ida", "a plan that was cancelled without signing in: it ends with its period", [
    signsUp({ months: 2, days: 12 }, { name: "Ida Holm", locale: "en-GB", timeZone: berlin }),
    ago({ months: 2, days: 12 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 2 }, ({ money }) => money.cancelsByForm("Ida Holm")),
  ]),
  person("malin", "a cancellation that named no order: the team looks for the contract", [
    signsUp({ months: 3, days: 6 }, { name: "Malin Brandt", locale: "en-GB", timeZone: berlin }),
    ago({ months: 3, days: 6 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 1 }, ({ money }) => money.cancelsByForm("Malin Brandt", "My subscription")),
  ]),
  person(
    "torben",
    "a yearly plan in its second year that was cancelled: with a month's notice, if the config says so",
    [
      signsUp({ months: 15 }, { name: "Torben Kruse", locale: "en-GB", timeZone: berlin }),
      ago({ months: 15 }, ({ money }) => money.buys(small, "year")),
      ago({ days: 12 }, ({ money }) => money.cancels()),
    ],
  ),
  person("lotte", "a withdrawal that was declared without signing in", [
    signsUp({ days: 6 }, { name: "Lotte de Boer", locale: "en-GB", timeZone: london }),
    ago({ days: 6 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 1 }, ({ money }) => money.isWithdrawnByAnyone("L. de Boer")),
  ]),
];
