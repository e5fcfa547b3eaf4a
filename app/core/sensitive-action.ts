/** What a re-authentication is for. The page that waits for it says so. */
export type SensitiveAction =
  | "show-licence-key"
  | "replace-licence-key"
  | "open-portal"
  | "change-plan"
  | "change-email"
  | "add-passkey"
  | "remove-passkey"
  | "end-sessions"
  | "close-account"
  | "download-data";
