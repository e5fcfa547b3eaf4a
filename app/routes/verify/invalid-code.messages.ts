import { triesPerCodeMax } from "#app/modules/accounts/codes/rules.ts";
import type { Messages } from "#app/core/messages.ts";

/** Shown when the link's code is no longer valid and the browser isn't the one that asked for it. The server chooses the text. */
const en = {
  "code-used": {
    title: "This code has already been used",
    lead: "It was used in the browser where you asked for it.",
  },
  "code-expired": {
    title: "This code has expired",
    lead: "Ask for a new one in the browser where you started.",
  },
  "code-exhausted": {
    title: "This code no longer works",
    lead: `${triesPerCodeMax} wrong codes were entered. Ask for a new one in the browser where you started.`,
  },
  "code-superseded": {
    title: "This code no longer works",
    lead: "We've sent a newer one. Use the code in our latest email.",
  },
};

export const invalidCodeMessages: Messages<typeof en> = { en };
