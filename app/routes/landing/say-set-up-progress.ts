import type { Site } from "#app/app.ts";
import type { SetUpProgress } from "#app/modules/operators/set-up-progress.rules.ts";
import { firstPaymentStepsMessages, type StripeTarget } from "./first-payment-steps.messages.ts";

export function saySetUpProgress(
  site: Pick<Site, "origin" | "gate" | "isLocal" | "isProduction">,
  progress: SetUpProgress,
) {
  const { origin, gate } = site;
  const texts = firstPaymentStepsMessages.en;
  const { stripe: mode, orderNumber, isComplete } = progress;
  const about = { mode, target: targetOf(site), gate: gate.kind, orderNumber: orderNumber ?? "" };
  return {
    isComplete,
    next: mode === "live" ? texts.nextLive(origin) : texts.nextTest,
    steps: progress.steps.map(({ name, state }) => ({
      state,
      title: texts.steps[name].title,
      text: texts.steps[name][state](about),
    })),
  };
}

/** `npm run deploy` puts the word "preview" into a preview's address. */
function targetOf({ origin, isLocal, isProduction }: Pick<Site, "origin" | "isLocal" | "isProduction">): StripeTarget {
  if (isLocal) return "local";
  if (isProduction) return "production";
  return new URL(origin).hostname.includes("-preview-") ? "preview" : "staging";
}
