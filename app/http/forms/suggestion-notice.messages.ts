import type { Messages } from "#app/core/messages.ts";

const en = {
  "domain-mistyped": {
    title: (meant: string) => `Did you mean ${meant}?`,
    text: (typed: string) => `You entered ${typed}.`,
    use: (meant: string) => `Use ${meant}`,
    keep: (typed: string) => `Keep ${typed}`,
    pending: "Sending",
  },
};

export const suggestionMessages: Messages<typeof en> = { en };
