import type { Messages } from "#app/core/messages.ts";

/** Alternative text of a page's social picture. */
const en = {
  landing: (product: string) => `The home page of ${product}`,
  signup: (product: string) => `The sign-up page of ${product}`,
  login: (product: string) => `The sign-in page of ${product}`,
};

export const socialPictureMessages: Messages<typeof en> = { en };
