/** Problems that only operators' calls return. The commands print the texts; the codes never change. */
export const operatorProblems = {
  "no-such-person": { status: 404, title: "No account and no waitlist entry matches" },
  "stripe-unreachable": { status: 503, title: "Stripe doesn't answer: ask again, or by another id" },
  "cursor-unknown": { status: 422, title: "That isn't a cursor of this list: take the next one that it answered" },
  "no-gate": { status: 409, title: "No gate is closed: there is nobody to invite" },
  "entry-unknown": { status: 404, title: "There is no entry with this id" },
  "decided-already": { status: 409, title: "The entry was decided already, or was never flagged" },
  "place-is-over": { status: 409, title: "The entry has no place to lose any more" },
  "referral-unknown": { status: 404, title: "There is no referral with this id" },
  "not-under-review": { status: 409, title: "Neither the referral nor its friend discount is under review" },
  "no-such-order": { status: 404, title: "There is no order with this number or id" },
  "order-unpaid": { status: 409, title: "The order isn't paid: there is no receipt" },
  "receipt-just-sent": {
    status: 409,
    title: "The receipt was emailed, or queued, less than a minute ago: try again in a minute",
  },
  "account-gone": { status: 409, title: "The account is closed and its address erased: there is nobody to email" },
  "no-such-mail": { status: 404, title: "There is no email with this id" },
  "mail-sent": { status: 409, title: "The email was sent, and its content has been erased" },
  "mail-wiped": {
    status: 409,
    title: "The email failed, and its content has been erased: it contained a code, or failed too long ago",
  },
  "no-such-withdrawal": { status: 404, title: "There is no declaration of withdrawal with this id" },
  "withdrawal-closed": { status: 409, title: "The declaration is closed already" },
} as const satisfies Record<string, { status: number; title: string }>;
