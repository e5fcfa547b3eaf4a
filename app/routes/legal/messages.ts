import type { Messages } from "#app/core/messages.ts";

/** The legal texts themselves belong to the team: app/product/legal. */
const en = {
  contents: "Contents",
  /** Forms that email an address that anyone typed. */
  addressForms: { plain: "signing up and signing in", withWaitlist: "signing up, signing in and the waitlist" },
};

export const legalPageMessages: Messages<typeof en> = { en };
