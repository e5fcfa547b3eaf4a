/** What operators decide, and what a customer is told of it: emails, and what pages show from then on. */
export const decisions = ["clear", "reject", "approve", "void", "contest"] as const;

export type Decision = (typeof decisions)[number];

/** When an email leaves. What happens before it may take weeks, or never happen. */
export type EmailTime = "now" | "at-its-turn" | "with-the-refund" | "with-the-reward";

/** What a page shows; the command prints it in the page's own words. */
export type PageNotice =
  | { page: "waitlist"; shows: "waiting" | "rejected"; what: string }
  | { page: "order"; shows: "discount-refused" }
  | { page: "order"; shows: "withdrawal-contested"; declared: string; reason: string }
  /** The page of whoever brought the friend. */
  | { page: "referrals"; shows: "not-counted" };

/** `to` is null where it goes to each of those who are listed beside it. */
export type ToldEmail = { to: string | null; when: EmailTime; subject: string; text: string };

/** Both empty: the customer sees nothing of it. */
export type Told = { emails: ToldEmail[]; pages: PageNotice[] };
