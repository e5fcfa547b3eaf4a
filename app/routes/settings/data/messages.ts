import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "Your data",
  lead: "Download what we store about you, or close your account.",
};

export const dataMessages: Messages<typeof en> = { en };
