/** A refusal that our code can return: its statuses (none: it is never a response) and when it is returned. */
type Reason = { status: number[]; when: string };

/**
 * Every refusal reason, by topic. A reason's types and messages are defined where it is decided and shown; this list defines what each
 * means, and `tests/architecture/documents/reference.test.ts` compares it with the code.
 */
export const reasons: Readonly<Record<string, Reason>> = {
  // forms
  "malformed-form": { status: [400], when: "The body isn't a form, or a field contains a file." },
  "duplicated-field": { status: [400], when: "A field was sent twice." },
  "form-too-large": { status: [413], when: "Larger than `formBytesMax`." },
  "form-too-slow": { status: [408], when: "Not complete within `bodyReadMs`." },
  "domain-mistyped": {
    status: [422],
    when: "The address's domain looks mistyped; `suggestion` is what was probably meant. The same form sent to its address with `keep-domain` in the query is accepted.",
  },
  "invalid-fields": { status: [422], when: "Fields have problems; see the problems of fields." },

  // codes and quotas
  "too-soon": { status: [429], when: "Less than `sendGapMs` since the last email." },
  "too-many-mails": { status: [429], when: "The mailbox's hourly quota of emails is used up." },
  "too-many-from-network": {
    status: [429],
    when: "The hourly quota of the network, or of a wider prefix, is used up; or it exceeds the rate limit.",
  },
  "too-many-from-site": { status: [429], when: "The site's hourly quota of emails to strangers is used up." },
  "captcha-wanted": {
    status: [429],
    when: "An hourly quota for requests without a captcha is used up (`app/modules/codes/captcha.rules.ts`); the page shows one, whose token `captcha` lets the form through.",
  },
  paused: { status: [429], when: "`wrongStreakMax` wrong codes in a row." },
  "too-many-tries": {
    status: [429],
    when: "The address's hourly quota of wrong codes is used up; no code is emailed either.",
  },
  "wrong-code": { status: [422], when: "The code is wrong; it uses up a try." },
  "code-missing": { status: [422], when: "Nothing was typed; it uses up no try." },
  "code-malformed": { status: [422], when: "Not eight digits; it uses up no try." },
  "code-expired": { status: [409], when: "Its email was sent more than `codeLifeMs` ago, or never." },
  "code-exhausted": { status: [409], when: "`triesPerCodeMax` wrong tries." },
  "code-used": { status: [409], when: "The code was redeemed already." },
  "code-superseded": { status: [409], when: "Newer codes replaced it." },
  "no-request": {
    status: [409],
    when: "This browser asked for no such code, or its account has another address by now.",
  },
  "mail-down": { status: [], when: "The email service didn't accept an email; the outbox retries." },
  "quota-exhausted": {
    status: [],
    when: "The email service's quota of a day or month is used up; the outbox retries.",
  },
  "report-unsigned": { status: [401], when: "A report of the email service without its signature or password." },
  "address-refused": {
    status: [],
    when: "The email service sends nothing to the address, for example since it bounced.",
  },

  // waitlist
  "by-invitation": { status: [409], when: "The gate guards sign-up, and there is no invitation." },
  "invitation-over": { status: [409], when: "Older than `invitationLifeMs`." },
  "invitation-used": { status: [409], when: "The invited user has signed up already." },
  "invitation-elsewhere": { status: [409], when: "The invitation is for another address." },
  "not-invited": { status: [409], when: "The entry has no invitation." },
  "no-gate": { status: [409], when: "Nothing is guarded: there is nothing to wait for." },
  "list-full": { status: [409], when: "The waitlist takes no new entries." },
  "has-account": { status: [409], when: "The address has an account, so it has passed the gate of sign-up." },
  "link-unknown": {
    status: [404],
    when: "No such link, its entry started over, or the change of address was too long ago.",
  },
  "link-expired": { status: [409], when: "Older than `confirmLifeMs` or `revertLifeMs`." },
  "entry-left": { status: [409], when: "The place was given up." },
  "place-is-over": { status: [409], when: "The entry has joined or was rejected: it has no place any more." },

  // addresses
  "link-used": { status: [409], when: "The change of address was reverted already." },
  "link-overtaken": { status: [409], when: "An earlier change was reverted, and this one with it." },
  "same-address": { status: [422], when: "The account has that address already." },
  "address-taken": {
    status: [409],
    when: "The address got an account after the code was asked for, or after the change; the code stays valid.",
  },
  "address-held": { status: [409], when: "The code is right, but the address is held; the code stays valid." },
  "account-not-here": {
    status: [409],
    when: "The account that the code is about isn't signed in in this browser; it uses up no try.",
  },
  "asked-elsewhere": { status: [409], when: "Has to continue in the browser that asked for the code." },

  // closing an account
  "account-leaving": { status: [409], when: "The account is closed; only what closed accounts may do works." },
  "not-leaving": { status: [409], when: "The account isn't closed: there is nothing to restore." },
  "restore-too-late": { status: [409], when: "The time to restore it is over, or the erasure has begun." },

  // plans and payments
  "plan-unknown": { status: [422], when: "There is no such plan." },
  "plan-retired": {
    status: [422],
    when: "`sold: false`, or not in the config any more: only its subscribers keep it.",
  },
  "interval-not-sold": { status: [422], when: "The plan has no price for this interval." },
  "plan-is-free": { status: [422], when: "The free plan needs no payment, and nothing is running that could end." },
  "plan-behind-gate": { status: [409], when: "The gate guards this plan, and the account isn't invited." },
  "not-on-sale": {
    status: [409, 503],
    when: "There is no Stripe key. 503 when a customer closes the account, since billing can't be ended.",
  },
  "quote-moved": {
    status: [409],
    when: "The quote is too old, not ours, or its amount has changed; the page shows a new one.",
  },
  "subscribed-already": { status: [409], when: "The account has a running plan." },
  "payment-unconfirmed": { status: [303, 409], when: "An order is unconfirmed; redirects to its payment page." },
  "payment-in-process": { status: [303, 409], when: "Another payment is being processed; redirects to its page." },
  "provider-unreachable": { status: [503], when: "Stripe didn't answer in time." },
  "provider-refused": { status: [503], when: "Stripe answered with an error." },
  "email-refused": { status: [422], when: "Stripe doesn't accept the account's address; the order is cancelled." },
  "amount-too-small": { status: [422], when: "The amount is below Stripe's minimum charge; the order is cancelled." },
  "no-plan": { status: [409], when: "No plan is running." },
  "cancelled-already": { status: [409], when: "The plan ends with its period already." },
  "not-cancelled": { status: [409], when: "There is no cancellation to take back." },
  "nothing-planned": { status: [409], when: "No change is scheduled, and none waits for its payment." },
  "nothing-cancelled": { status: [409], when: "No plan is cancelled, or ended within `reasonTakenMs`." },
  "nothing-due": { status: [409], when: "No charge of the plan is unpaid." },
  "too-many-retries": {
    status: [429],
    when: "`manualRetriesPerDayMax` attempts to pay within `retryWindowMs`; `Retry-After`.",
  },
  "too-many-requests": {
    status: [429],
    when: "The account's quota of calls to Stripe, or the network's rate limit of the product API; `Retry-After`.",
  },
  "same-plan": { status: [409], when: "The plan is running already, and no change is scheduled." },
  "plan-ends": { status: [409], when: "The plan is cancelled; that has to be taken back first." },
  "change-begins": {
    status: [409],
    when: "A scheduled change begins within `setAsideMs`; that has to be taken back first.",
  },
  "payment-due": { status: [409], when: "A charge of the running plan is unpaid." },
  "plan-withdrawn": { status: [409], when: "The owner has withdrawn from the plan, which ends with the refund." },
  "charges-on-hold": { status: [409], when: "The team has paused collection at Stripe." },
  "plan-paused": { status: [409], when: "The plan is paused: another one is bought in its place." },
  "no-customer": { status: [], when: "The account has no customer at Stripe: there is nothing to sync." },
  "signature-invalid": { status: [400], when: "An event without a valid signature of Stripe's." },

  // sessions, passkeys and devices
  "proof-stale": {
    status: [303],
    when: "The last proof is older than `reauthenticationMs`; redirects to a re-authentication.",
  },
  "passkey-missing": { status: [422], when: "No answer of an authenticator: the page's script didn't run." },
  "passkey-malformed": { status: [422], when: "Not an authenticator's answer." },
  "origin-foreign": { status: [403], when: "Made on another origin than `PUBLIC_ORIGIN`, or in a frame." },
  "challenge-unknown": { status: [409], when: "Not one of our challenges, or for another ceremony or account." },
  "challenge-stale": { status: [409], when: "Older than `challengeLifeMs`." },
  "challenge-used": { status: [409], when: "The challenge was used already." },
  "passkey-refused": {
    status: [422],
    when: "Unknown, of another account, or with an invalid signature; the answer doesn't say which.",
  },
  "passkey-copied": { status: [409], when: "The signature counter didn't increase: the passkey may be a copy." },
  "user-unverified": { status: [422], when: "A re-authentication by a passkey without user verification." },
  "passkey-known": { status: [409], when: "The credential was added before, to this or another account." },
  "too-many-passkeys": { status: [409], when: "The account has `passkeysMax` passkeys." },
  "passkey-unknown": { status: [404], when: "To be removed, but not there or of another account." },
  "session-unknown": { status: [404], when: "Not there, ended, or of another account." },
  "device-unknown": { status: [404, 401], when: "Not there, removed, or of a closed account; 401 in the product API." },
  "key-unreadable": {
    status: [409],
    when: "The licence key was encrypted under another pepper: it still activates devices, and can be replaced.",
  },

  // product API
  "changed-elsewhere": { status: [412], when: "Preferences were changed after the page or the device read them." },
  "licence-key-refused": {
    status: [401],
    when: "Unknown, mistyped, replaced, or of a closed account; the answer doesn't say which.",
  },
  "plan-required": { status: [402], when: "The account has no plan; `url` is the page where its owner chooses one." },
  "seats-full": { status: [409], when: "Every seat of the plan is taken." },
  "activations-used-up": {
    status: [429],
    when: "`activationsPerSeat` per seat within `activationWindowMs`; `Retry-After`.",
  },
  "report-from-future": { status: [422], when: "`at` is more than `clockAheadMs` in the future." },

  // operators
  "entry-unknown": { status: [404], when: "No waitlist entry has this id." },
  "decided-already": { status: [409], when: "The entry isn't under review any more." },
  "referral-unknown": { status: [404], when: "No referral has this id." },
  "not-under-review": { status: [409], when: "Decided already, or continued by the cron job." },
  "no-such-person": { status: [404], when: "No account and no waitlist entry matches." },
  "cursor-unknown": { status: [422], when: "`after` isn't a cursor of this list." },
  "no-demo": { status: [409], when: "An operator asked for the code of a demo address in production." },
  "address-not-reserved": {
    status: [409],
    when: "An operator asked for the code of an address that may have a mailbox.",
  },
  "no-code-requested": { status: [404], when: "No browser waits for an emailed code of this demo address." },
  "stripe-unreachable": { status: [503], when: "Stripe can't be asked for a payment's customer." },
  "no-such-order": { status: [404], when: "No order has this number or id." },
  "order-unpaid": { status: [409], when: "The order isn't paid: it has no receipt." },
  "receipt-just-sent": { status: [409], when: "The receipt was resent, or queued, within this minute." },
  "account-gone": { status: [409], when: "The account is erased, and its address with it." },
  "no-such-mail": { status: [404], when: "No email has this id." },
  "mail-sent": { status: [409], when: "The email was sent, and its content has been erased." },
  "mail-wiped": {
    status: [409],
    when: "The email failed, and its content has been erased: it contained a code, or `failedEmailRetentionMs` have passed.",
  },
  "no-such-withdrawal": { status: [404], when: "No declaration has this id." },
  "withdrawal-closed": { status: [409], when: "The declaration was refunded or contested already." },
};
