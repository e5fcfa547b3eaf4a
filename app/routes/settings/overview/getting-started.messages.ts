import type { Words } from "#app/core/messages.ts";

const en = {
  title: (product: string) => `Get ${product}`,
  downloads: "Download",
  brief: "Downloads, and how to begin",
  activate: (product: string) => `Already installed? Open ${product}`,
};

export const handOverWords: Words<typeof en> = { en };
