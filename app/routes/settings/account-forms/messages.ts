import { nameLengthMax } from "#app/modules/accounts/rules.ts";
import type { Messages } from "#app/core/messages.ts";

const en = {
  /** The button that changes the address. The suggestion of another domain mentions it, too. */
  changeAddress: "Change address",
  problems: {
    "name-missing": "Enter a name, or leave the field empty.",
    "name-too-long": `Enter a name of up to ${nameLengthMax} characters.`,
    "locale-unknown": "Choose a format from the list.",
    "session-unknown": "That browser is already signed out.",
    "email-missing": "Enter the new address.",
    "email-malformed": "Enter a full email address, like name@example.com.",
    "same-address": "Your account already uses this address.",
    "time-zone-unknown": "Choose a time zone from the list.",
  },
};

export const accountMessages: Messages<typeof en> = { en };
