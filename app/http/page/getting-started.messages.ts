import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (product: string) => `Get ${product}`,
  /** Of a product with nothing to download. */
  start: (product: string) => `Get started with ${product}`,
  downloads: "Download",
  toKey: "Go to your licence key",
  activate: (product: string) => `Already installed? Open ${product}`,
  open: (product: string) => `Open ${product}`,
};

export const gettingStartedMessages: Messages<typeof en> = { en };
