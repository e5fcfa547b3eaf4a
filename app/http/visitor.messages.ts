import type { Words } from "#app/core/messages.ts";

const en = {
  unknown: "A browser",
  on: (browser: string, system: string) => `${browser} on ${system}`,
};

export const visitorWords: Words<typeof en> = { en };
