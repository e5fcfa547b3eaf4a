import { formatSpan } from "#app/core/time/time.ts";
import { operatorCookieMs } from "#app/modules/operators/operator-cookie.rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { StepState } from "#app/modules/operators/set-up-progress.rules.ts";

const en = {
  title: "Your first payment",
  titleComplete: "Your first payment arrived",
  lead: `Only you see this, for ${formatSpan(operatorCookieMs)}. It updates automatically.`,
  states: { done: "Done", "to-do": "To do", problem: "Problem" } satisfies Record<StepState, string>,
  hide: "Hide these steps",
};

export const firstPaymentCardMessages: Messages<typeof en> = { en };
