import { cards } from "./customer.ts";
import type { Person } from "./replay-demo.ts";
import { ago, berlin, person, signsUp, small } from "./demo-events.ts";

/** Paid for months, until the bank declined this many days ago. Whole years keep the day of the month. */
const failing = (days: number) => [
  ago({ months: 12, days }, ({ money }) => money.buys(small, "month")),
  ago({ days: days + 15 }, ({ money }) => money.changesCard(cards.failsLater)),
];

/** Customers whose last payment failed. */
export const unpaid: Person[] = [
  person("nadia", "a payment that failed five days ago: the plan stays active for nine more", [
    signsUp({ months: 12, days: 5 }, { name: "Nadia Petrescu", locale: "en-GB", timeZone: "Europe/Bucharest" }),
    ...failing(5),
    ago({ days: 3 }, (nadia) => nadia.installs("Nadia's laptop", "Windows 11", 0.35)),
  ]),
  person("viktor", "a payment that failed 17 days ago: locked, with more retries to come", [
    signsUp({ months: 12, days: 17 }, { name: "Viktor Dahl", locale: "en-GB", timeZone: "Europe/Oslo" }),
    ...failing(17),
  ]),
  person("karl", "a payment that failed for three weeks, without further retries: unpaid and locked", [
    signsUp({ months: 12, days: 26 }, { name: "Karl Weber", locale: "en-GB", timeZone: berlin }),
    ...failing(26),
  ]),
  person("henrik", "a plan that ended because its payment failed and nobody paid", [
    signsUp({ months: 12, days: 40 }, { name: "Henrik Lindqvist", locale: "en-GB", timeZone: "Europe/Stockholm" }),
    ...failing(40),
  ]),
  person("alva", "a plan that Stripe paused after the first failed payment, as its dashboard can be set", [
    signsUp({ months: 12, days: 4 }, { name: "Alva Nyström", locale: "en-GB", timeZone: "Europe/Stockholm" }),
    ...failing(4),
    ago({ days: 3 }, ({ money }) => money.isPaused("first_payment_failure")),
  ]),
  person("bruno", "a plan that Stripe paused after the last failed payment", [
    signsUp({ months: 12, days: 19 }, { name: "Bruno Keller", locale: "en-GB", timeZone: "Europe/Zurich" }),
    ...failing(19),
    ago({ days: 1 }, ({ money }) => money.isPaused("final_payment_failure")),
  ]),
  person("theo", "a renewal that his bank needs him to confirm", [
    signsUp({ months: 12, days: 1 }, { name: "Théo Martin", locale: "en-GB", timeZone: "Europe/Zurich" }),
    ago({ months: 12, days: 1 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 12 }, ({ money }) => money.changesCard(cards.asksAlways)),
  ]),
  person("rosa", "a payment that failed last month and succeeded days later with another card", [
    signsUp({ months: 13, days: 8 }, { name: "Rosa Delgado", locale: "en-GB", timeZone: "Europe/Madrid" }),
    ago({ months: 13, days: 8 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 1, days: 20 }, ({ money }) => money.changesCard(cards.failsLater)),
    ago({ months: 1, days: 6 }, ({ money }) => money.looks()),
    ago({ months: 1, days: 3 }, ({ money }) => money.changesCard(cards.another)),
  ]),
];
