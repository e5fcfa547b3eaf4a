import type { Base, Site } from "#app/app.ts";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { testModeMessages } from "#app/modules/email/messages/test-mode.messages.ts";
import { readCookie } from "../request/cookies.ts";

/** The site data every page's frame shows, for every viewer and also on error pages. */
export function siteFacts({ product, gate, clock, isTestMode }: Base & Site, request: Request) {
  const testMode = testModeMessages.en;
  const features = featuresOf(product, gate);
  const theme = readCookie(request, "theme");
  return {
    brand: { name: product.name },
    // Formatted here, so that pages don't load the messages.
    banner: isTestMode ? `${testMode.label}: ${testMode.text}` : null,
    hasWithdrawal: features.withdrawal,
    hasCancellation: features.cancellation,
    seller: product.seller.name,
    support: product.support,
    statusUrl: product.statusUrl,
    year: new Date(clock()).getUTCFullYear(),
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}
