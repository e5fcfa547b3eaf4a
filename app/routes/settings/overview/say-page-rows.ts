import { placeOfTimeZone } from "#app/core/time/split-time-zone.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import { settingsMenu } from "../menu.ts";
import { settingsMessages } from "../messages.ts";
import { overviewMessages } from "./messages.ts";

type Label = ReturnType<typeof settingsMenu>[number]["links"][number]["label"];
type Counted = Record<"passkeys" | "sessions" | "devices", readonly unknown[]>;

/** The pages of the menu in its order, each with what is set there. */
export function sayPageRows(
  product: ProductConfig,
  gate: Gate,
  { name, timeZone, emailsOff }: Account,
  { passkeys, sessions, devices }: Counted,
) {
  const { pages } = overviewMessages.en;
  const briefs: Partial<Record<Label, string>> = {
    profile: pages.profile(name, placeOfTimeZone(timeZone)),
    security: pages.security(passkeys.length, sessions.length),
    notifications: pages.notifications(emailKinds.length - emailsOff.length, emailKinds.length),
    data: pages.data,
    devices: pages.devices(devices.length),
    preferences: pages.preferences,
    plan: pages.plan,
    orders: pages.orders,
    referral: pages.referral,
  };
  const menu = settingsMenu(product, featuresOf(product, gate), { isAccountClosed: false, hasPlan: true });
  return menu
    .flatMap(({ links }) => links)
    .flatMap(({ to, label }) => {
      const brief = briefs[label];
      return brief === undefined ? [] : [{ to, title: settingsMessages.en[label], brief }];
    });
}
