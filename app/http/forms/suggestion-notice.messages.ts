import type { Messages } from "#app/core/messages.ts";

/** The domain of an address looks mistyped. */
const en = {
  "domain-mistyped": {
    title: (meant: string) => `Did you mean ${meant}?`,
    text: (typed: string, button: string) => `You entered ${typed}. If that's right, choose “${button}” again.`,
    use: (meant: string) => `Use ${meant}`,
    pending: "Sending",
  },
};

export const suggestionMessages: Messages<typeof en> = { en };
