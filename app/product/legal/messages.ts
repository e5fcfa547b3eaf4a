import { dayMs } from "#app/core/time/time.ts";
import { restoreMs } from "#app/modules/account-deletion/rules.ts";
import { graceMs, unpaidGraceWindowMs } from "#app/modules/subscriptions/rules.ts";
import { activityRetentionMs } from "#app/modules/accounts/activities.rules.ts";
import { withdrawalRetentionMs } from "#app/modules/withdrawals/withdrawals.rules.ts";
import { discountMonths } from "#app/modules/referrals/rules.ts";
import type { Messages } from "#app/core/messages.ts";

type Facts = {
  product: string;
  seller: { name: string; address: readonly string[]; vatId: string | null };
  support: string;
  version: string;
  withdrawalDays: number | "off";
  /** Without one, only customers who pay can use the product. */
  hasFreePlan: boolean;
  revertDays: number;
  /** Who receives error reports; null: none are sent. */
  errorReceiver: string | null;
  /** A referred customer's discount; null: referrals are off. */
  friendDiscount: string | null;
};
type LegalSection = { title: string; text: (string | string[])[] };
type LegalText = {
  title: string;
  lead: (facts: Facts) => string;
  sections: (facts: Facts) => LegalSection[];
};

/** What is reported when something breaks, if anything is, and who processes data for the team. */
function reportsAndProcessors(errorReceiver: string | null): LegalSection[] {
  const processors = [
    "Cloudflare: runs this site, stores its database and sends its emails.",
    "Stripe: takes payments, and keeps payment methods and invoices.",
  ];
  const title = "Companies that process data for us";
  const lead = "These companies process data on our behalf:";
  if (errorReceiver === null) return [{ title, text: [lead, processors] }];
  return [
    {
      title: "When something breaks",
      text: [
        "The page tells us what broke, on which kind of page and in which version. Addresses, codes, names and what you typed are not in it.",
      ],
    },
    { title, text: [lead, [...processors, `${errorReceiver}: receives the reports of what broke.`]] },
  ];
}

/** A start that a team shows to its lawyer: it says truly what this software does, not what a contract must hold. */
const en = {
  terms: {
    title: "Terms",
    lead: ({ version }) => `Version of ${version}. By creating an account you agree to it.`,
    sections: ({ product, support, withdrawalDays, hasFreePlan, friendDiscount }) => [
      {
        title: "What you get",
        text: [
          `An account with ${product}, on the plan that you choose. What each plan holds is on the landing page and on your plan page.`,
          ...(hasFreePlan
            ? []
            : [
                `You need a plan to use ${product}. When it ends, your account stays open and keeps your settings, and you can choose a plan again.`,
              ]),
        ],
      },
      {
        title: "What it costs",
        text: [
          "The price you see before you confirm is the price you are charged, tax included. A plan renews by the month or by the year until you cancel it; you cancel it with one click, and it runs to the end of what is paid.",
          `If a renewal can't be collected, everything works for ${graceMs / dayMs} days more. If a renewal was never paid, and another one can't be collected within ${unpaidGraceWindowMs / dayMs} days after it, the plan is locked at once until it is paid.`,
        ],
      },
      ...(friendDiscount !== null
        ? [
            {
              title: "The friend discount",
              text: [
                `If you sign up through somebody's link and you're a new customer, ${friendDiscount} of your first payment goes back to the payment method you used, once the payment has arrived. You pay the full price first; no more goes back than you paid. You have ${discountMonths} months from signing up to make that payment.`,
                "You're a new customer if no other account has had your mailbox, under any spelling of the address, and no other account has paid with your payment method. Deleted accounts count. The discount is given once per mailbox and once per payment method.",
                "If we can't tell, for example because you paid by Apple Pay, Google Pay or Link, or because a customer has an email address at the same domain and that domain isn't a public provider's, one of us decides and we email you. There is no discount while that takes, while your bank disputes the payment, or after you've withdrawn from the contract. If you withdraw after you've had it, we refund the rest of what you paid.",
              ],
            },
          ]
        : []),
      {
        title: "Changing your mind",
        text: [
          withdrawalDays === "off"
            ? "There is no period of withdrawal for this product."
            : `Within ${withdrawalDays} days of the first payment you can withdraw without a reason and get your money back. Declare it on the page “Withdraw from a contract”, which every page links to at its foot, or write to ${support} with your order number. A change of plan belongs to the contract that it changed: withdrawing covers all of its orders, and the plan ends.`,
          "If an order of your plan is refunded as a whole for any other reason, or your bank takes the payment back, the plan ends as well, and you get back what you paid for the time that is left. A part that we refund changes nothing else.",
        ],
      },
      {
        title: "If we change these terms",
        text: [
          "A new version is published on this page, with its date. Which version you agreed to is kept with your account and stands in the file with your data.",
        ],
      },
    ],
  },
  privacy: {
    title: "Privacy",
    lead: ({ product }) => `What ${product} keeps about you, why, and for how long.`,
    sections: ({ support, revertDays, errorReceiver }) => [
      {
        title: "Your account",
        text: [
          "We keep your e-mail address, the name and time zone if you set them, the version of the terms you agreed to, the browsers you are signed in with, the public half of each passkey that you add, and your orders. It is what the account is made of.",
          "Of each device that you activate we keep the name it goes by, its system, when it last connected, and what it reports of the limits of your plan. The highest values of past months are deleted after three months.",
          `We note what is done with the account and what is refused: when, by what (a code, a passkey, a browser), in which kind of browser and country, and the network it came from, shortened so that it names no single connection. You see it on your account page. It is deleted after ${activityRetentionMs / dayMs} days, except that the account was created.`,
          `When you change your address, the change can be taken back from the old one for ${revertDays} days. We keep the old one encrypted until your account is erased, so that what came under it is erased as well.`,
        ],
      },
      {
        title: "Cookies",
        text: [
          [
            "__Host-session: shows that you are signed in. Up to 90 days.",
            "__Host-browser: ties a mailed code to the browser that asked for it, and lets us recognise your browser. 400 days.",
            "__Host-visit: remembers whose link brought you here and how you signed in last. A year.",
            "__Host-flash: one message for the next page. A minute.",
            "__Host-reference: the number of a fault that a page just showed you, so that it is not reported twice. A minute.",
            "__Host-theme: light or dark, if you chose. 400 days.",
          ],
          "All of them are needed for what you ask this site to do; none is for advertising, so there is no banner.",
        ],
      },
      {
        title: "Payments",
        text: [
          "Stripe takes the payment and keeps your card. We see its brand and last four digits. Of its fingerprint, a code by which Stripe tells cards and bank accounts apart, we keep a keyed hash, so that a discount for new customers is given once per payment method.",
        ],
      },
      {
        title: "If you withdraw from a contract",
        text: [
          `We keep what you declare there for ${withdrawalRetentionMs / (365 * dayMs)} years: your name, the order, your address and when. We may have to show it. Once the account that the order belongs to is erased, the name and the address go earlier.`,
        ],
      },
      ...reportsAndProcessors(errorReceiver),
      {
        title: "Your rights",
        text: [
          `You can see, correct and take with you what we keep: your account page has all of it as one file. Write to ${support} about anything that you don't find there.`,
        ],
      },
      {
        title: "When you close your account",
        text: [
          `You do so on your account page. A running plan ends at once. For ${restoreMs / dayMs} days you can restore it by signing in; then it is erased: address, name, preferences, browsers, what happened to the account, places on the waitlist, and the customer at Stripe. If you've withdrawn from a contract and that isn't settled yet, your account stays closed and is erased once it is, so that we can write to you about it.`,
          "What the law makes us keep stays: numbers, dates and amounts of orders, here without your name and address, and the payments in Stripe's own books. With your orders we keep Stripe's ids of their invoices and of the deleted customer, so that a later refund or dispute reaches our books. Keyed hashes of your mailbox, of its domain unless it's a public provider's, and of your payment methods stay as well. They say that somebody was here before and nothing else, so that a discount for new customers is given once.",
        ],
      },
    ],
  },
  imprint: {
    title: "Imprint",
    lead: ({ product }) => `Who is behind ${product}.`,
    sections: ({ seller, support }) => [
      {
        title: seller.name,
        text: [[...seller.address, ...(seller.vatId ? [`VAT id ${seller.vatId}`] : [])].join("\n")],
      },
      { title: "Contact", text: [support] },
    ],
  },
} satisfies Record<string, LegalText>;

type LegalPage = keyof typeof en;

export function isLegalPage(word: string): word is LegalPage {
  return Object.hasOwn(en, word);
}

export const legalMessages: Messages<Record<LegalPage, LegalText>> = { en };
