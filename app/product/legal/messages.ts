import { enteredCookieMs, flashCookieMs, referenceCookieMs, visitCookieMs } from "#app/core/cookie-lives.ts";
import { dayMs, formatSpan } from "#app/core/time/time.ts";
import { sessionAbsoluteMs } from "#app/modules/accounts/rules.ts";
import { knownBrowserMs } from "#app/modules/accounts/codes/rules.ts";
import { emailRetentionMs } from "#app/modules/email/rules.ts";
import { restoreMs } from "#app/modules/closing/rules.ts";
import { graceMs, unpaidGraceWindowMs } from "#app/modules/billing/subscriptions/rules.ts";
import { activityRetentionMs } from "#app/modules/accounts/activities.rules.ts";
import { withdrawalRetentionMs } from "#app/modules/billing/withdrawals/withdrawals.rules.ts";
import { cancellationRetentionMs, declarationShownMs } from "#app/modules/billing/cancellations/cancellations.rules.ts";
import { discountMonths } from "#app/modules/referrals/rules.ts";
import type { Messages } from "#app/core/messages.ts";
import type { LegalFacts, LegalSection, LegalText } from "./legal-text.ts";
import { thirdPartiesMessages } from "./third-parties.messages.ts";
import { withdrawalRightMessages } from "./withdrawal-right.messages.ts";

/** What an error report contains, if any are sent, and who processes data for the team. */
function reportsAndProcessors(errorReceiver: string | null): LegalSection[] {
  const processors = [
    "Cloudflare: hosts this site, stores its database and sends its emails.",
    "Stripe: processes payments, and stores payment methods and invoices.",
  ];
  const title = "Companies that process data for us";
  const lead = "These companies process data on our behalf:";
  if (errorReceiver === null) return [{ title, text: [lead, processors] }];
  return [
    {
      title: "Error reports",
      text: [
        "If a page breaks, it sends us the error, the kind of page and the version of the site. The report contains no addresses, codes or names, and nothing you typed.",
      ],
    },
    { title, text: [lead, [...processors, `${errorReceiver}: receives error reports.`]] },
  ];
}

/** The controller, and on what grounds data is stored. */
const responsible = (seller: LegalFacts["seller"], support: string): LegalSection => ({
  title: "Who is responsible",
  text: [
    `${[seller.name, ...seller.address].join(", ")}. You can reach us at ${support}.`,
    "We store what we need for our contract with you (Article 6(1)(b) of the GDPR), what the law requires us to keep, such as orders (c), and what protects you and us from misuse and errors, which is our legitimate interest (f).",
  ],
});

const yourRights = (support: string): LegalSection => ({
  title: "Your rights",
  text: [
    `You can see and correct your data in your account, and download all of it as one file. Contact ${support} about anything you don't find there, or to have data deleted or no longer used.`,
    "If you think we handle your data wrongly, you can complain to the data protection authority where you live, or to ours.",
  ],
});

/** Every cookie of the site, and how long it is kept. */
function cookies(facts: LegalFacts): string[] {
  const { withdrawalDays, waitsIn, hasCancellationPage, friendDiscount } = facts;
  const hasWithdrawal = withdrawalDays !== "off";
  const entered = [waitsIn, hasWithdrawal && "a withdrawal"].filter(Boolean).join(" or ");
  const lines = [
    `__Host-session: shows that you're signed in. Up to ${formatSpan(sessionAbsoluteMs)}.`,
    `__Host-browser: links an email code to the browser that asked for it, and lets us recognise your browser. ${formatSpan(knownBrowserMs)}.`,
    `__Host-visit: remembers ${friendDiscount === null ? "" : "whose link brought you here and "}how you last signed in. ${formatSpan(visitCookieMs)}.`,
    `__Host-flash: a message for the next page. ${formatSpan(flashCookieMs)}.`,
    entered !== "" &&
      `__Host-entered: the email address you've just entered for ${entered}, to show where we sent the email. ${formatSpan(enteredCookieMs)}.`,
    hasWithdrawal &&
      `__Host-withdrawn: that you've just sent us a withdrawal, so that the page after it is shown to you alone. ${formatSpan(declarationShownMs)}.`,
    hasCancellationPage &&
      `__Host-cancelled: which cancellation you've just sent us, so that you can read and save it. ${formatSpan(declarationShownMs)}.`,
    `__Host-reference: the reference of an error that a page just showed you, so that it isn't reported twice. ${formatSpan(referenceCookieMs)}.`,
    `__Host-theme: light or dark, if you chose. ${formatSpan(knownBrowserMs)}.`,
    `__Host-declined: that you don't want to be offered a passkey in this browser. ${formatSpan(knownBrowserMs)}.`,
  ];
  return lines.filter((line) => line !== false);
}

/** A draft for the team's lawyer: it describes what this software does, and may lack what a contract needs. */
const en = {
  terms: {
    title: "Terms",
    lead: ({ version }) => `Version of ${version}. You accept these terms when you create an account.`,
    sections: (facts) => [
      {
        title: "What you get",
        text: [
          `An account with ${facts.product}, on the plan you choose. The home page and your plan page show what each plan includes.`,
          ...(facts.hasFreePlan
            ? []
            : [
                `You need a plan to use ${facts.product}. When it ends, your account stays open with its settings, and you can choose a plan again.`,
              ]),
        ],
      },
      ...(facts.intervals.length === 0
        ? []
        : [
            {
              title: "What it costs",
              text: [
                `The price you see before you confirm is the price you are charged, tax included. A plan renews automatically ${facts.intervals.map((interval) => `every ${interval}`).join(" or ")} until you cancel it. You can cancel at any time; your plan then stays active until the end of the period you've paid for.`,
                ...(facts.afterFirstTerm === "month-notice" && facts.intervals.includes("year")
                  ? [
                      "A yearly plan that has been renewed can be ended with a month's notice: it stays active for a month after you cancel, or until the end of the year if that is sooner, and then we refund what you've paid for the rest of the year.",
                    ]
                  : []),
                `If a renewal payment fails, your plan stays active for another ${graceMs / dayMs} days and is then locked until you pay. If an earlier renewal went unpaid and another fails within ${unpaidGraceWindowMs / dayMs} days, the plan is locked immediately until you pay. If we've stopped trying to charge you, the plan ends with its current period unless you pay before then, and you owe nothing for it.`,
              ],
            },
          ]),
      ...(facts.friendDiscount !== null
        ? [
            {
              title: "The friend discount",
              text: [
                `If you're a new customer and sign up with a friend's link, we refund ${facts.friendDiscount} of your first payment, but never more than you paid. You pay the full price first; the refund goes to the payment method you used, once your payment has arrived. You have ${discountMonths} months from signing up to make your first payment.`,
                "You're a new customer if no other account has used your mailbox, however the address is spelt, and no other account has paid with your payment method. Deleted accounts count.",
                `Sometimes we can't tell automatically, for example if you paid with Apple Pay, Google Pay or Link, or if another customer's email address is at the same domain as yours and it isn't a public email provider's. One of us then decides, and we email you. We don't pay the discount while we're checking${facts.withdrawalDays === "off" ? " or while your bank disputes the payment." : ", while your bank disputes the payment, or after you've withdrawn from the contract. If you withdraw after you've had the discount, we refund the rest of what you paid."}`,
              ],
            },
          ]
        : []),
      ...(facts.hasCancellationPage
        ? [
            {
              title: "Cancelling without signing in",
              text: [
                "You can also cancel on the page “Cancel contracts here”, which you can open from the footer of every page, with your email address and the number of one of your orders. We confirm what we received by email, with its date and time. A plan that is cancelled there ends with its paid period, and until then you can keep it on your plan page.",
              ],
            },
          ]
        : []),
      ...withdrawalRightMessages.en(facts),
      {
        title: "Other refunds",
        text: [
          "If we refund an order of your plan in full for any other reason, or your bank returns the payment to you, your plan ends and you also get back what you paid for any time left. A partial refund changes nothing else.",
        ],
      },
      {
        title: "If we change these terms",
        text: [
          "We publish new versions on this page, with their date. Your account stores which version you accepted, and so does the file with your data.",
        ],
      },
    ],
  },
  privacy: {
    title: "Privacy",
    lead: ({ product }) => `What ${product} stores about you, why, and for how long.`,
    sections: (facts) => [
      responsible(facts.seller, facts.support),
      {
        title: "Your account",
        text: [
          "We store your email address, your name and time zone if you set them, the version of the terms you accepted, the browsers you're signed in with, the public half of each passkey you add, and your orders. We need this to run your account.",
          ...facts.ofAccount,
          `We log what is done with your account and what is refused: when, how (with a code, a passkey or a browser), in which kind of browser, in which country, and from which network, shortened so that it doesn't identify a single connection. You can see this log in your account. We delete its entries after ${activityRetentionMs / dayMs} days, except the one that says when your account was created.`,
          `We store which emails we sent you and when, for ${formatSpan(emailRetentionMs)}, but not what they said. You can see the newest ones in your account. If you tell us why you cancelled a plan, we store your answer, and delete your own words when your account is erased.`,
          ...(facts.friendDiscount === null
            ? []
            : [
                "If you sign up with a friend's link, that friend sees the first letter of your name or email address, the month you joined, and whether your payments have earned them credit.",
              ]),
          `When you change your email address, you can undo that from the old address for ${facts.revertDays} days. We store the old address encrypted until your account is erased, so that we can erase what we stored under it, too.`,
        ],
      },
      {
        title: "Cookies",
        text: [cookies(facts), thirdPartiesMessages.en.cookies(facts.thirdParties)],
      },
      {
        title: "Payments",
        text: [
          "Stripe processes your payment and stores your card. We see its brand and last four digits.",
          ...(facts.comparesCustomers
            ? [
                "Stripe also gives us a fingerprint, a code that tells cards and bank accounts apart. We store a keyed hash of it, so that each payment method gets a discount for new customers only once.",
              ]
            : []),
        ],
      },
      ...(facts.withdrawalDays === "off"
        ? []
        : [
            {
              title: "If you withdraw from a contract",
              text: [
                `We store your declaration for ${withdrawalRetentionMs / (365 * dayMs)} years in case we have to prove it: your name, the order, your email address and the time. If the account that the order belongs to is erased before then, we delete the name and the email address.`,
              ],
            },
          ]),
      ...(facts.hasCancellationPage
        ? [
            {
              title: "If you cancel without signing in",
              text: [
                `We store every cancellation that is declared there for ${cancellationRetentionMs / (365 * dayMs)} years in case we have to prove it: your name, the contract, your email address, the kind of cancellation, your reason if you gave one, the day and the time. If the account that the contract belongs to is erased before then, we delete the name, the email address and the reason.`,
              ],
            },
          ]
        : []),
      ...thirdPartiesMessages.en.sections(facts.thirdParties),
      ...facts.ofFeatures,
      ...reportsAndProcessors(facts.errorReceiver),
      yourRights(facts.support),
      {
        title: "When you close your account",
        text: [
          `You can close your account yourself. An active plan ends immediately. For ${restoreMs / dayMs} days, you can restore the account by signing in. After that, we erase your ${["email address", "name", ...facts.erased, "browsers", "account log"].join(", ")}, and the customer at Stripe.${facts.withdrawalDays === "off" ? "" : " If you've withdrawn from a contract and that isn't settled yet, we keep your account closed until it is, so that we can email you about it, and erase it afterwards."}`,
          `We keep what the law requires: the numbers, dates and amounts of orders and invoices, without your name and address, and the payments in Stripe's own records. Invoices keep your country, and your VAT ID if you owed the tax yourself, until ${facts.taxRecordYears} years after the end of their year. With your orders, we keep Stripe's IDs of their invoices and of the deleted customer, so that we can record a later refund or dispute.`,
          ...(facts.comparesCustomers
            ? [
                "We also keep keyed hashes of your mailbox, of its domain unless it's a public provider's, and of your payment methods. They only show that someone has been a customer before, so that a discount for new customers is given once.",
              ]
            : []),
        ],
      },
    ],
  },
  imprint: {
    title: "Imprint",
    lead: ({ product }) => `Who runs ${product}.`,
    sections: ({ seller, imprint, support }) => [
      {
        title: seller.name,
        text: [[...seller.address, ...imprint, ...(seller.vatId ? [`VAT ID ${seller.vatId}`] : [])].join("\n")],
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
