import type { Language, Messages } from "#app/core/messages.ts";

const signOut = "choose “Sign out everywhere else” on the Security page, and contact us.";

/** What emails about changes of an account end with. */
const en = {
  yours: "You're receiving this email because this is your account's email address.",
  signOut,
  notYou: `If that wasn't you, sign in, ${signOut}`,
};

export const accountNoticeMessages: Messages<typeof en> = { en };

/** Below an email of a kind that isn't switched off in the settings. */
export const unsubscribeText: Record<Language, { label: string }> = { en: { label: "Unsubscribe" } };
