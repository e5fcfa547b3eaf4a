import type { Site } from "#app/app.ts";
import type { SetUpProgress } from "#app/modules/operators/set-up-progress.rules.ts";
import { firstPaymentStepsMessages } from "./first-payment-steps.messages.ts";

/** The texts of the steps to a first payment. */
export function saySetUpProgress({ origin, gate }: Pick<Site, "origin" | "gate">, progress: SetUpProgress) {
  const texts = firstPaymentStepsMessages.en;
  const { stripe: mode, orderNumber, isComplete } = progress;
  const about = { mode, origin, gate: gate.kind, orderNumber: orderNumber ?? "" };
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
