import type { Person } from "./replay-demo.ts";
import {
  ago,
  berlin,
  choicesOf,
  large,
  london,
  needs,
  needsTwoChoices,
  needsTwoPlans,
  person,
  signsUp,
  small,
} from "./demo-events.ts";

export const changingPlans: Person[] = [
  person(
    "pia",
    "the large plan, changing to the small one at the end of the period",
    [
      signsUp({ months: 6, days: 9 }, { name: "Pia Rossi", locale: "en-GB", timeZone: "Europe/Rome" }),
      ago({ months: 6, days: 9 }, ({ money }) => money.buys(large, "month")),
      ago({ days: 2 }, ({ money }) => money.changesTo(small, "month")),
    ],
    needsTwoPlans,
  ),
  person(
    "tomas",
    "a yearly plan that changes to monthly",
    [
      signsUp({ months: 8 }, { name: "Tomáš Novák", locale: "en-GB", timeZone: "Europe/Prague" }),
      ago({ months: 8 }, ({ money }) => money.buys(small, "year")),
      ago({ days: 20 }, ({ money }) => money.changesTo(small, "month")),
    ],
    needs("month", "year"),
  ),
  person("ines", "a cancelled plan, active until the end of the paid period", [
    signsUp({ months: 10, days: 12 }, { name: "Inês Carvalho", locale: "en-GB", timeZone: "Europe/Lisbon" }),
    ago({ months: 10, days: 12 }, ({ money }) => money.buys(small, "month")),
    ago({ days: 3 }, ({ money }) => money.cancels()),
  ]),
  person("bram", "a plan that ended two months ago; its orders are still there", [
    signsUp({ months: 14 }, { name: "Bram de Vries", locale: "en-GB", timeZone: "Europe/Amsterdam" }),
    ago({ months: 14 }, ({ money }) => money.buys(small, "month")),
    ago({ months: 2, days: 20 }, ({ money }) => money.cancels()),
  ]),
  person("lena", "a trial given by the team, paused because she added no card", [
    signsUp({ months: 2 }, { name: "Lena Kowalska", locale: "en-GB", timeZone: "Europe/Warsaw" }),
    ago({ months: 2 }, ({ money }) => money.tries(large, "month", 30)),
  ]),
  person(
    "bea",
    "two unfinished checkouts: one replaced by another, which expired",
    [
      signsUp({ days: 40 }, { name: "Bea Sutton", locale: "en-GB", timeZone: london }),
      ago({ days: 40 }, ({ money }) => money.goesToCheckout(small, "month")),
      ago({ days: 40, minutes: -5 }, async ({ money, site }) => {
        const [, second] = choicesOf(site.app.product);
        if (second) await money.goesToCheckout(second.planId, second.interval);
      }),
    ],
    needsTwoChoices,
  ),
  person("otto", "a card that was declined yesterday", [
    signsUp({ days: 1 }, { name: "Otto Brandt", locale: "en-GB", timeZone: "Europe/Zurich" }),
    ago({ hours: 20 }, ({ money }) => money.goesToCheckout(small, "month", { card: "4000000000000002" })),
  ]),
  person("yara", "a payment that needs her bank's confirmation", [
    signsUp({ hours: 3 }, { name: "Yara Haddad", locale: "en-GB", timeZone: berlin }),
    ago({ hours: 2 }, ({ money }) => money.goesToCheckout(small, "month", { card: "4000002500003155" })),
  ]),
  person("astrid", "a plan paid by bank debit, which can only change with its next period", [
    signsUp({ days: 12 }, { name: "Astrid Lindholm", locale: "en-CA", timeZone: "Europe/Stockholm" }),
    ago({ days: 12, hours: -1 }, ({ money }) => money.goesToCheckout(small, "month", { bank: "succeeds" })),
  ]),
  person("signe", "a renewal by bank debit that is processing while the plan is active", [
    signsUp({ months: 12, days: 2 }, { name: "Signe Berg", locale: "en-GB", timeZone: "Europe/Oslo" }),
    ago({ months: 12, days: 2, hours: -1 }, ({ money }) => money.goesToCheckout(small, "month", { bank: "succeeds" })),
  ]),
  person("milo", "a first payment by bank debit that is processing", [
    signsUp({ days: 2 }, { name: "Milo Hansen", locale: "en-CA", timeZone: "Europe/Copenhagen" }),
    ago({ days: 2, hours: -1 }, ({ money }) => money.goesToCheckout(small, "year", { bank: "succeeds" })),
  ]),
];
