/** What operators can decide, and how the customer is informed: by emails, and on pages. Called from the operators' calls. */
export const decisions = ["clear", "reject", "approve", "void", "contest", "match", "close"] as const;

export type Decision = (typeof decisions)[number];

/** When an email is sent. What has to happen before may take weeks, or never happen. */
export type EmailTime = "now" | "when-invited" | "with-the-refund" | "with-the-reward";

/** What a page shows; the operator command prints the page's own message. */
export type PreviewedPage =
  | { page: "waitlist"; shows: "waiting" | "rejected"; what: string }
  | { page: "order"; shows: "discount-refused" }
  | { page: "order"; shows: "withdrawal-contested"; declared: string; reason: string }
  /** The referrer's page. */
  | { page: "referrals"; shows: "not-counted" };

/** `to` is null if it goes to each recipient listed beside it. */
export type PreviewedEmail = { to: string | null; when: EmailTime; subject: string; text: string };

/** Both are empty if the customer isn't informed. */
export type DecisionPreview = { emails: PreviewedEmail[]; pages: PreviewedPage[] };
