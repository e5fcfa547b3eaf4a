/** What a customer hears of a decision, beside an email that leaves at once. For the operator who makes it. */
export const decisions = ["clear", "reject", "approve", "void", "contest"] as const;

export type Decision = (typeof decisions)[number];

/** A referral's id is that of its friend discount, too. */
export type Decided = "entry" | "sign-up" | "discount" | "withdrawal";

const notes = {
  "clear entry":
    "No email now. The entry counts for the friend who brought it, and is invited by email when its turn comes.",
  "reject entry": "No email. The person's page of the waitlist says that the place is gone.",
  "approve sign-up": "No email now. The referrer is emailed when the reward is credited.",
  "void sign-up": "No email. The referrer's page counts no reward for this friend.",
  "approve discount": "No email now. The friend is emailed when the refund is made, and the order shows it.",
  "void discount": "The order shows that there is no discount.",
  "contest withdrawal": "The order shows the reason, too.",
} as const;

/** Null: that decision isn't about such a thing. */
export function noteOf(decision: Decision, decided: Decided): string | null {
  const name = `${decision} ${decided}`;
  return name in notes ? notes[name as keyof typeof notes] : null;
}
