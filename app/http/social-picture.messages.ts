import type { Messages } from "#app/core/messages.ts";

/** What the picture of a page shows, for people who can't see it. */
const en = {
  landing: (product: string) => `The home page of ${product}`,
  signup: (product: string) => `The sign-up page of ${product}`,
  login: (product: string) => `The sign-in page of ${product}`,
  waitlist: (product: string) => `The waitlist page of ${product}`,
};

export const socialPictureMessages: Messages<typeof en> = { en };
