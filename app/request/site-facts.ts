import type { App } from "#app/context.ts";
import { readCookie } from "./cookies.ts";

/** What the frame of every page says, whoever asks and whatever became of the page. */
export function siteFacts({ product, gate, clock }: Pick<App, "product" | "gate" | "clock">, request: Request) {
  const theme = readCookie(request, "theme");
  return {
    brand: { name: product.name },
    hasWaitlist: gate.kind !== "none",
    hasWithdrawal: product.withdrawalDays !== "off",
    seller: product.seller.name,
    support: product.support,
    statusUrl: product.statusUrl,
    year: new Date(clock()).getUTCFullYear(),
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}
