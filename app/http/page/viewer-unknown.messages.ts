import type { Messages } from "#app/core/messages.ts";

/** Shown while accounts can't be read. The server chooses it. */
const en = {
  text: "We can't load accounts at the moment, so this page looks as if you weren't signed in. You still are; try again in a few minutes.",
};

export const viewerUnknownMessages: Messages<typeof en> = { en };
