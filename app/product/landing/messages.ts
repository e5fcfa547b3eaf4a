import type { Messages } from "#app/core/messages.ts";

/** The landing copy: with `app/product/config.ts` the one place that a team rewrites for its own product. */
const en = {
  title: (product: string, tagline: string) => `${product}: ${tagline}`,
  heading: "Lose the laptop, keep everything",
  lead: "Tern backs up your laptop every hour, sealed so that nobody but you can open it.",
  start: (plan: string) => `Start ${plan}`,
  startNote: (price: string, per: string, withdrawalDays: number | "off") =>
    withdrawalDays === "off"
      ? `${price} ${per}. Cancel with one click.`
      : `${price} ${per}. Cancel with one click; ${withdrawalDays} days to change your mind.`,
  joinSignUp: "Join the waitlist",
  joinNote: "New accounts are by invitation, for now. We write as soon as it is your turn.",
  waitlistFull: "See the waitlist",
  fullNote: "New accounts are by invitation, and the waitlist is full at the moment.",
  toAccount: "Go to your account",
  leaving: "Your account is closed. Its page says until when you can restore it.",
  picture: {
    label:
      "Tern at work: files leave a laptop sealed, one after the other, and rest in a vault; one file comes back. A window says when the last backup was.",
    messages: {
      window: {
        title: "Tern",
        state: "All sealed",
        lastBackup: "Last backup 12 minutes ago",
        count: "48,213 files, 212 GB",
        hours: "today, hour by hour",
        files: [
          { name: "thesis-chapter-4.md", state: "sealed" },
          { name: "IMG_2041.heic", state: "sealed" },
          { name: "budget.ods", state: "back from Tuesday", restored: true },
        ],
      },
      captions: {
        sealed: "Sealed on your laptop, with a key that stays there",
        restored: "Any file, from any hour, back where it was",
        kept: "Kept in two places in Europe",
      },
    },
  },
  how: {
    title: "How it works",
    steps: [
      {
        title: "It notices what changed",
        text: "Every hour Tern looks for new and changed files, and for nothing else. You won't notice it working.",
      },
      {
        title: "It seals them on your laptop",
        text: "Each file is locked with a key that never leaves your devices. What travels is of no use to anybody else.",
      },
      {
        title: "You take back what you need",
        text: "One file from last Tuesday, or the whole laptop onto a new one: choose, and it comes back.",
      },
    ],
  },
  plans: {
    title: "Plans",
    lead: "Prices include tax. Cancel with one click.",
    switchLabel: "Pay by the month or by the year",
    month: "Monthly",
    year: "Yearly",
    yearNote: (months: number) => (months === 0 ? undefined : `${months} ${months === 1 ? "month" : "months"} free`),
    perMonth: "a month",
    perYear: "a year",
    forever: "for as long as you like",
    saving: (amount: string, perMonth: string) => `${amount} less than monthly, ${perMonth} a month`,
    choose: (plan: string, price: string, per: string) => `Start ${plan} for ${price} ${per}`,
    chooseFree: (plan: string) => `Start with ${plan}`,
    yours: "Your plan",
    manage: "See your plan",
    gated: (plan: string) => `Join the waitlist for ${plan}`,
    gatedChip: "Waitlist",
    full: "By invitation; the waitlist is full at the moment.",
    notOnSale: "Not on sale yet",
    restoreFirst: "Restore your account first",
  },
  friend: (amount: string, days: number) =>
    `A friend invites you: as a new customer you get ${amount} back after your first payment. This browser remembers it for ${days} days.`,
  questions: {
    title: "Questions",
    items: [
      {
        question: "Can you read my files?",
        answer:
          "No. They are sealed on your laptop with a key that we never have. We can't open them, and neither can anybody who asks us to.",
      },
      {
        question: "What if I lose my laptop and forget the key?",
        answer:
          "Tern gives you a recovery sheet to print when you set it up. With the sheet you get everything back; without laptop and sheet nobody can, us included.",
      },
      {
        question: "What happens when I cancel?",
        answer:
          "Your plan goes on until the end of what you paid for. Then you are on Free: your newest 5 GB stay, and the rest waits 30 days for you to fetch it.",
      },
      { question: "Where is it stored?", answer: "In two data centres in the European Union, each with a whole copy." },
      {
        question: "Is there a version for teams?",
        answer: "Studio has room for ten devices under one account. Shared administration is something we don't have.",
      },
    ],
  },
};

export const landingMessages: Messages<typeof en> = { en };
