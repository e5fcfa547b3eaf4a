/**
 * Tables of another module that a file reads or writes, each with the reason: a module asks another one by its queries, unless one
 * statement or one round trip has to decide. tests/architecture/code/tables.test.ts holds every file of app/modules/ against it.
 */
export const borrowedTables: Readonly<Record<string, { tables: readonly string[]; why: string }>> = {
  "accounts/address-changes.queries.server.ts": {
    tables: ["passkeys"],
    why: "Reverting a change of address deletes passkeys that were added since, in the same batch.",
  },
  "accounts/waitlist-entries.queries.server.ts": {
    tables: ["entries"],
    why: "A change of address moves the places on the waitlist to the new address, in the same batch.",
  },
  "accounts/sign-up-gate.queries.server.ts": {
    tables: ["entries"],
    why: "A sign-up's WHERE tests the invitation while there is a waitlist.",
  },
  "accounts/personal-data.queries.server.ts": {
    tables: ["passkeys"],
    why: "The account's data export lists the ways to sign in.",
  },
  "accounts/viewer.queries.server.ts": {
    tables: ["orders", "subscriptions"],
    why: "Each page of the settings shows whether a payment is due: the viewer's read has no round trip left.",
  },
  "billing-sync/polling.queries.server.ts": {
    tables: ["customers", "orders", "subscriptions"],
    why: "Which customer is synced next depends on open orders, plans and the customer's last sync.",
  },
  "catalogue/queries.server.ts": {
    tables: ["devices"],
    why: "The name of the device that made the last change.",
  },
  "checkout/purchases.queries.server.ts": {
    tables: ["accounts", "orders", "subscriptions"],
    why: "A purchase is an order that is inserted only if no plan runs and the account isn't being deleted.",
  },
  "codes/expiry.queries.server.ts": {
    tables: ["emails"],
    why: "A code's lifetime counts from the sending of its email.",
  },
  "codes/requests.queries.server.ts": {
    tables: ["emails"],
    why: "An operator gets the code of a demo address if its email had one.",
  },
  "devices/licence-keys.queries.server.ts": {
    tables: ["accounts"],
    why: "A key is inserted only for an account that is active.",
  },
  "devices/queries.server.ts": {
    tables: ["accounts", "subscriptions"],
    why: "What a device may do depends on account and plan: one read per call of the API.",
  },
  "devices/seats.queries.server.ts": {
    tables: ["accounts", "orders", "subscriptions"],
    why: "Seats depend on the plan; removals wait for an order that may be for a larger plan.",
  },
  "email/personal-data.queries.server.ts": {
    tables: ["accounts", "codes", "entries"],
    why: "A recipient is an account or its place on the waitlist; a code for a sign-up was sent before there was either.",
  },
  "email/queries.server.ts": {
    tables: ["accounts", "entries", "orders"],
    why: "An email that is switched off isn't queued, its row names whom it goes to, and a receipt gets its number when it is sent.",
  },
  "email/returned-emails.queries.server.ts": {
    tables: ["accounts", "entries"],
    why: "An email that came back ends the optional ones to the account, and the waitlist's to the entries, of its address in the same batch.",
  },
  "ledger/queries.server.ts": {
    tables: ["accounts", "customers"],
    why: "Credit is posted with Stripe's customer; open accounts with work to do are listed.",
  },
  "ledger/uses.queries.server.ts": {
    tables: ["orders"],
    why: "Which orders used credit that has no line yet.",
  },
  "operators/find.queries.server.ts": {
    tables: [
      "accounts",
      "addressChanges",
      "customers",
      "devices",
      "formerAddresses",
      "ledgerLines",
      "orders",
      "subscriptions",
      "webhookEvents",
    ],
    why: "An operator's search looks in every table that an id or address can be in.",
  },
  "operators/set-up-progress.queries.server.ts": {
    tables: ["accounts", "emails", "orders", "sessions"],
    why: "The steps to a first payment are read from what each of them leaves behind, in one round trip.",
  },
  "operators/health.queries.server.ts": {
    tables: ["emails", "webhookEvents"],
    why: "The health check counts what waits in the outbox and in the inbox of events, in one round trip.",
  },
  "operators/queries.server.ts": {
    tables: ["accounts", "emails", "entries", "orders", "subscriptions", "webhookEvents"],
    why: "The operators' summary counts rows of every module.",
  },
  "operators/referrals.queries.server.ts": {
    tables: ["accounts", "friendDiscounts", "referrals"],
    why: "An operator sees who invited an account, with addresses, which the referrals' own pages don't show.",
  },
  "order-history/browse.queries.server.ts": {
    tables: ["friendDiscounts", "historyEvents", "orderLines", "orders", "referrals"],
    why: "This module has no tables: it reads orders, and the discount for being a friend.",
  },
  "orders/changes.queries.server.ts": {
    tables: ["subscriptions"],
    why: "A plan change is inserted only while the plan is as it was quoted.",
  },
  "orders/transitions.queries.server.ts": {
    tables: ["customers"],
    why: "An answer from Stripe is applied only if no later one about the customer was.",
  },
  "orders/personal-data.queries.server.ts": {
    tables: ["accounts", "withdrawals"],
    why: "Declarations about orders are exported and blanked together with them.",
  },
  "orders/queries.server.ts": {
    tables: ["accounts"],
    why: "Operators find an order with its owner's address.",
  },
  "passkeys/queries.server.ts": {
    tables: ["accounts"],
    why: "Passkeys of deleted accounts are ignored.",
  },
  "referrals/approvals.queries.server.ts": {
    tables: ["accounts"],
    why: "A reward is given only to a referrer whose account is active.",
  },
  "referrals/attribution.queries.server.ts": {
    tables: ["accounts", "codes", "deletedAddresses", "entries", "orders", "quotaUses"],
    why: "A friend is attributed by the account's, code's and waitlist entry's links, unless the address was deleted before.",
  },
  "referrals/discounts.queries.server.ts": {
    tables: ["accounts", "orders"],
    why: "A discount belongs to the first order that was paid with money.",
  },
  "referrals/retained-payments.queries.server.ts": {
    tables: ["orders"],
    why: "A reward depends on how much of the friend's payments is kept.",
  },
  "referrals/open-discount.queries.server.ts": {
    tables: ["accounts", "customerHashes", "deletedAddresses", "orders"],
    why: "Whether a friend is new is decided in the statement, by every mark that another account has left.",
  },
  "referrals/personal-data.queries.server.ts": {
    tables: ["accounts", "entries"],
    why: "Touches are found by the waitlist entries of the account's addresses.",
  },
  "referrals/queries.server.ts": {
    tables: ["accounts"],
    why: "A link is valid, and a friend is shown, only while the account exists.",
  },
  "referrals/reviews.queries.server.ts": {
    tables: ["accounts"],
    why: "An operator sees both accounts of a referral.",
  },
  "referrals/rewards.queries.server.ts": {
    tables: ["orders"],
    why: "Which friends have paid, and which orders changed since the last sweep.",
  },
  "subscriptions/former-plans.queries.server.ts": {
    tables: ["soldPlans"],
    why: "Notes which plans that the config lacks have subscribers, in one statement.",
  },
  "subscriptions/reminders.queries.server.ts": {
    tables: ["accounts", "emails"],
    why: "A notice needs the owner's address and locale, and is sent once: its email's id tells.",
  },
  "waitlist/confirming.queries.server.ts": {
    tables: ["referralTouches"],
    why: "The referral link is stored with the entry in the batch that confirms it.",
  },
  "waitlist/invitations.queries.server.ts": {
    tables: ["accounts"],
    why: "Which gates an account may pass, by its address.",
  },
  "waitlist/joining.queries.server.ts": {
    tables: ["accounts", "orders", "subscriptions"],
    why: "An entry has joined once its address has an account, or a paid plan.",
  },
  "waitlist/personal-data.queries.server.ts": {
    tables: ["accounts"],
    why: "Entries belong to the account's address.",
  },
  "withdrawals/contract.queries.server.ts": {
    tables: ["historyEvents", "orderLines", "orders"],
    why: "A contract is a run of orders with their lines and disputes.",
  },
  "withdrawals/declared-order.queries.server.ts": {
    tables: ["accounts", "orders"],
    why: "A declaration names an order by number and address.",
  },
  "withdrawals/withdrawals.queries.server.ts": {
    tables: ["accounts", "emails", "historyEvents", "orders"],
    why: "Declarations are listed with their orders, and noted in the order's timeline and acknowledged by email.",
  },
};
