import type { Messages } from "#app/core/messages.ts";

const en = {
  unknown: "A browser",
  on: (browser: string, system: string) => `${browser} on ${system}`,
};

export const visitorMessages: Messages<typeof en> = { en };
