import type { Messages } from "#app/core/messages.ts";

const en = {
  label: "Settings",
  you: "You",
  overview: "Account",
  profile: "Profile",
  security: "Security",
  notifications: "Notifications",
  data: "Your data",
  money: "Billing",
  plan: "Plan",
  upgrade: "Change plan",
  choose: "Choose a plan",
  orders: "Orders",
  referral: "Invite friends",
  due: {
    title: (isLocked: boolean) => (isLocked ? "Your plan is locked" : "Your renewal isn't paid yet"),
    titleConfirm: "Confirm your renewal payment",
    text: (isLocked: boolean, until: string, lockedMeans: string) =>
      isLocked
        ? `${lockedMeans} Pay to unlock your plan.`
        : `Everything works as usual until ${until}. If you haven't paid by then, your plan will be locked. ${lockedMeans}`,
    link: "Complete payment",
  },
};

export const settingsMessages: Messages<typeof en> = { en };

/** Rare, so the server chooses it and browsers don't load it. */
const demoTexts = {
  text: "A demo customer: this plan and its orders aren't at Stripe, so they can't be paid, changed or refunded. To try that, sign up with your own address.",
};

export const demoMessages: Messages<typeof demoTexts> = { en: demoTexts };

/** How an overdue payment is made, on every page that shows one. */
const payDueTexts = {
  another: { card: "Use another card", method: "Use another payment method" },
  toStripe: "One moment",
  pay: (amount: string, card: string | null) => (card ? `Pay ${amount} with ${card}` : `Pay ${amount} now`),
  paying: "Paying",
  note: "We'll charge the new card immediately.",
};

export const payDueMessages: Messages<typeof payDueTexts> = { en: payDueTexts };

/** Shown on every settings page about a payment that Stripe hasn't confirmed so far. */
const unconfirmedTexts = {
  title: "Your payment is being confirmed",
  titleFor: (plan: string) => `Your payment for ${plan} is being confirmed`,
  titleOf: (amount: string) => `Your payment of ${amount} is being confirmed`,
  text: "We're waiting for Stripe to confirm it. Please don't pay again.",
  link: "See this payment",
};

export const unconfirmedMessages: Messages<typeof unconfirmedTexts> = { en: unconfirmedTexts };

/** For a first payment that hasn't arrived. The server chooses the text, so that browsers don't load what most plans don't need. */
const firstPaymentTexts = {
  starting: {
    title: (plan: string, amount: string) => `${plan} starts when your payment of ${amount} arrives`,
    text: "Your bank is processing it. You don't have to do anything.",
    link: "See this payment",
  },
  unfinished: {
    title: (plan: string) => `Your payment for ${plan} isn't finished`,
    text: (plan: string) => `${plan} starts once you've paid.`,
    link: "Continue to payment",
  },
  confirming: {
    title: (plan: string) => `Confirm your payment for ${plan}`,
    text: "Your bank needs you to confirm this payment.",
    link: "Confirm payment",
  },
  declined: {
    title: (plan: string) => `Your payment for ${plan} failed`,
    text: (reason: string) => `You haven't been charged. ${reason}`,
    link: "Try again",
  },
  giveUp: "Cancel this order",
};

export const firstPaymentMessages: Messages<typeof firstPaymentTexts> = { en: firstPaymentTexts };
