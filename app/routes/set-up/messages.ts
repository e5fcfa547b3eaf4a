import type { Messages } from "#app/core/messages.ts";

const en = {
  title: "First payment",
  lead: "For operators: enter the OPERATOR_TOKEN, and the home page leads you through a first payment. Other visitors don't see it.",
  token: "Operator token",
  tokenHint: "The one that npm run secrets saved to your file. It isn't stored in this browser.",
  submit: "Show the steps",
  problems: {
    "token-missing": "Enter the operator token.",
    "token-refused": "That isn't this site's operator token.",
  },
};

export const setUpMessages: Messages<typeof en> = { en };
