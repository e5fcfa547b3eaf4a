import type { Messages } from "#app/core/messages.ts";

/** The legal texts themselves belong to the team: app/product/legal. */
const en = {
  contents: "Contents",
  /** Forms that email an address that anyone typed. */
  addressForms: (waitsIn: string | null) =>
    waitsIn === null ? "signing up and signing in" : `signing up, signing in and ${waitsIn}`,
};

export const legalPageMessages: Messages<typeof en> = { en };
