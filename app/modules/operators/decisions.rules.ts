/** What operators can decide beside what features add, and how the customer is informed: by emails, and on pages. Called from the operators' calls. */
export const decisions = ["approve", "void", "contest", "match", "close"] as const;

/** When an email is sent. What has to happen before may take weeks, or never happen. */
export type EmailTime = "now" | "when-invited" | "with-the-refund" | "with-the-reward";

/** What pages show, by the page. A feature adds its own (`declare module`). */
export interface Previews {
  order: { page: "order" } & (
    | { shows: "discount-refused" }
    | { shows: "withdrawal-contested"; declared: string; reason: string }
  );
  /** The referrer's page. */
  referrals: { page: "referrals"; shows: "not-counted" };
}

/** The operator command prints the page's own message. */
export type PreviewedPage = Previews[keyof Previews];

/** `to` is null if it goes to each recipient listed beside it. */
export type PreviewedEmail = { to: string | null; when: EmailTime; subject: string; text: string };

/** Both are empty if the customer isn't informed. */
export type DecisionPreview = { emails: PreviewedEmail[]; pages: PreviewedPage[] };
