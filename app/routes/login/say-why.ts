import type { Gate } from "#app/modules/catalogue/gate.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";
import { href } from "react-router";
import { settingsMenu } from "../settings/menu.ts";
import { loginMessages } from "./messages.ts";

/** Why the visitor was sent here to sign in. Names the page if the settings menu has it. Null if they came by themselves. */
export function sayWhy(site: { product: ProductConfig; gate: Gate }, redirectTo: string | null): string | null {
  if (redirectTo === null || redirectTo === href("/settings")) return null;
  const { en: messages } = loginMessages;
  const { pathname } = new URL(redirectTo, "https://site.invalid");
  const link = settingsMenu(site.product, site.gate, { isAccountClosed: false, hasPlan: true })
    .flatMap(({ links }) => links)
    .find(({ to, end }) => !end && (pathname === to || pathname.startsWith(`${to}/`)));
  // Whether that page is called "Change plan" or "Choose a plan" depends on the account, which isn't known yet.
  if (!link || link.name === "upgrade") return messages.toContinue;
  return messages.toContinueTo(link.label);
}
