import type { Messages } from "#app/core/messages.ts";

/** What the picture of a page shows, for people who can't see it. */
const en = {
  landing: (host: string) => `The home page of ${host}`,
  signup: (host: string) => `The sign-up page of ${host}`,
  login: (host: string) => `The sign-in page of ${host}`,
  waitlist: (host: string) => `The waitlist page of ${host}`,
};

export const socialPictureMessages: Messages<typeof en> = { en };
