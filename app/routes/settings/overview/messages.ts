import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Account",
  lead: (email: string) => `Signed in as ${email}.`,
  attention: "Needs your attention",
  passkey: {
    title: "Next time, sign in without a code",
    text: "With a passkey, your fingerprint, face or screen lock signs you in.",
    add: "Add a passkey",
    adding: "Waiting for your device",
    decline: "Not in this browser",
  },
  pages: {
    label: "Account settings",
    profile: (name: string | null, place: string) => [name, place].filter(Boolean).join(", "),
    security: (passkeys: number, browsers: number) =>
      `${passkeys === 0 ? "No passkeys" : passkeys === 1 ? "1 passkey" : `${passkeys} passkeys`}, ${browsers === 1 ? "1 browser" : `${browsers} browsers`}`,
    notifications: (on: number, all: number) => (on === all ? "All on" : on === 0 ? "All off" : `${on} of ${all} on`),
    data: "Download, or close your account",
    plan: "Price, usage, cancellation",
    orders: "Payments and invoices",
    referral: "Your link and your credit",
  },
};

export const overviewMessages: Messages<typeof en> = { en };
