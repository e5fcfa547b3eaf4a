import * as v from "valibot";

/** Closing and restoring the account. */
export const dataForm = v.variant(
  "intent",
  [v.object({ intent: v.picklist(["delete", "restore"]) })],
  "intent-unknown",
);
