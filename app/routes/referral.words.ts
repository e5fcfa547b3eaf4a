import type { Words } from "#app/ui/language.ts";

type Amounts = { discount: string; credit: string; qualifying: string };
type Limits = { attributionDays: number; holdDays: number; rewardsPerYear: number; discountMonths: number };

const en = {
  title: "Invite friends",
  lead: (amounts: Amounts, limits: Limits) =>
    `A friend who signs up by your link gets ${amounts.discount} off the first paid order, and you get ${amounts.credit} credit once that payment has stood for ${limits.holdDays} days.`,
  link: {
    title: "Your link",
    label: "Link for friends",
    copy: "Copy",
    copied: "Copied",
    share: "Share",
    shareTitle: (product: string, discount: string) => `${product}, with ${discount} off the first payment`,
    qr: "Your link as a QR code",
  },
  rules: {
    title: "The rules",
    lines: (amounts: Amounts, limits: Limits) => [
      `A friend is somebody without an account. Your link counts for ${limits.attributionDays} days after it was first opened; if several people sent theirs, the first one counts.`,
      `Your friend's discount of ${amounts.discount} waits on the new account for ${limits.discountMonths} months and comes off the first paid order.`,
      `Your credit of ${amounts.credit} is due when your friend has really paid at least ${amounts.qualifying} and ${limits.holdDays} days have passed without a refund.`,
      `You can earn ${limits.rewardsPerYear} credits a year.`,
      "If a payment is refunded or charged back, the credit for it is taken back, too.",
    ],
  },
  funnel: {
    title: "What came of it",
    label: "Visits and sign-ups by your link",
    visited: "Opened your link",
    signedUp: "Signed up",
  },
  friends: {
    title: "Friends",
    caption: "Friends who signed up by your link",
    friend: "A friend",
    who: "Who",
    since: "Signed up",
    none: "Nobody yet",
    noneText:
      "When somebody signs up by your link, you see here that it happened and in which month. Who it was stays theirs to tell.",
    newest: (count: number) => `The newest ${count} are shown.`,
  },
};

export const referralWords: Words<typeof en> = { en };
