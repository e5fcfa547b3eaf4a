import type { Messages } from "#app/core/messages.ts";

/** The texts themselves are the team's: app/product/legal. */
const en = { contents: "Contents" };

export const legalPageMessages: Messages<typeof en> = { en };
