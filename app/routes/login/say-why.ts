import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { href } from "react-router";
import { settingsMenu } from "../settings/menu.ts";
import { settingsMessages } from "../settings/messages.ts";
import { loginMessages } from "./messages.ts";

/** Why the visitor was sent to sign in, with the page's name if it is one of the menu's. Null: they weren't. */
export function sayWhy(site: { product: ProductConfig; gate: Gate }, redirectTo: string | null): string | null {
  if (redirectTo === null || redirectTo === href("/settings")) return null;
  const { en: messages } = loginMessages;
  const features = featuresOf(site.product, site.gate);
  const { pathname } = new URL(redirectTo, "https://site.invalid");
  const link = settingsMenu(site.product, features, { isAccountClosed: false, hasPlan: true })
    .flatMap(({ links }) => links)
    .find(({ to, end }) => !end && (pathname === to || pathname.startsWith(`${to}/`)));
  // The page is called "Change plan" or "Choose a plan", and only its user's account says which.
  if (!link || link.label === "upgrade") return messages.toContinue;
  return messages.toContinueTo(settingsMessages.en[link.label]);
}
