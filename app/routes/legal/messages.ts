import type { Messages } from "#app/core/messages.ts";

/** The legal texts themselves belong to the team: app/product/legal. */
const en = { contents: "Contents" };

export const legalPageMessages: Messages<typeof en> = { en };
