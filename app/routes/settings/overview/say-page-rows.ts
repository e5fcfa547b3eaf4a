import { placeOfTimeZone } from "#app/core/time/split-time-zone.ts";
import type { Account } from "#app/modules/accounts/rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { emailKinds } from "#app/modules/email/rules.ts";
import type { Count } from "#app/modules/billing/usage/rules.ts";
import { settingsMenu } from "../menu.ts";
import { overviewMessages } from "./messages.ts";

type Counted = Record<"passkeys" | "sessions", readonly unknown[]> & { counts: readonly Count[] };

/** The pages of the menu in its order, each with what is set there. */
export function sayPageRows(
  product: ProductConfig,
  gate: Gate,
  { name, timeZone, emailsOff }: Account,
  { passkeys, sessions, counts }: Counted,
) {
  const { pages } = overviewMessages.en;
  const briefs = new Map([
    ["profile", pages.profile(name, placeOfTimeZone(timeZone))],
    ["security", pages.security(passkeys.length, sessions.length)],
    ["notifications", pages.notifications(emailKinds.length - emailsOff.length, emailKinds.length)],
    ["data", pages.data],
    ["plan", pages.plan],
    ["orders", pages.orders],
    ["referral", pages.referral],
  ]);
  return settingsMenu(product, gate, { isAccountClosed: false, hasPlan: true })
    .flatMap(({ links }) => links)
    .flatMap((link) => {
      const brief = link.name === null ? briefOf(link, counts) : briefs.get(link.name);
      return brief === undefined ? [] : [{ to: link.to, title: link.label, brief }];
    });
}

type FeatureLink = { brief: string | ((count: number) => string); counted: string | null };

function briefOf({ brief, counted }: FeatureLink, counts: readonly Count[]): string {
  return typeof brief === "string" ? brief : brief(counts.find(({ name }) => name === counted)?.used ?? 0);
}
