import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { href } from "react-router";
import { settingsMenu } from "../settings/menu.ts";
import { settingsMessages } from "../settings/messages.ts";
import { loginMessages } from "./messages.ts";

/** Why the visitor was sent here to sign in. Names the page if the settings menu has it. Null if they came by themselves. */
export function sayWhy(site: { product: ProductConfig; gate: Gate }, redirectTo: string | null): string | null {
  if (redirectTo === null || redirectTo === href("/settings")) return null;
  const { en: messages } = loginMessages;
  const features = featuresOf(site.product, site.gate);
  const { pathname } = new URL(redirectTo, "https://site.invalid");
  const link = settingsMenu(site.product, features, { isAccountClosed: false, hasPlan: true })
    .flatMap(({ links }) => links)
    .find(({ to, end }) => !end && (pathname === to || pathname.startsWith(`${to}/`)));
  // Whether that page is called "Change plan" or "Choose a plan" depends on the account, which isn't known yet.
  if (!link || link.label === "upgrade") return messages.toContinue;
  return messages.toContinueTo(settingsMessages.en[link.label]);
}
