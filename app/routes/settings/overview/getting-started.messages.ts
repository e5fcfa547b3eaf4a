import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (product: string) => `Get ${product}`,
  downloads: "Download",
  toKey: "Go to your licence key",
  activate: (product: string) => `Already installed? Open ${product}`,
};

export const gettingStartedMessages: Messages<typeof en> = { en };
