import type { Messages } from "#app/core/messages.ts";

/** The landing copy: with `app/product/config.ts` the one place that a team rewrites for its own product. */
const en = {
  title: (product: string, tagline: string) => `${product}: ${tagline}`,
  heading: "Lose the laptop, keep everything",
  lead: "Encrypted backup of your laptop, every hour. Only you can open it. For macOS, Windows and Linux.",
  start: (plan: string) => `Get the ${plan} plan`,
  startFree: "Start for free",
  startNote: (price: string, per: string, withdrawalDays: number | "off") =>
    withdrawalDays === "off"
      ? `${price} ${per}. Cancel at any time.`
      : `${price} ${per}. Cancel at any time. Full refund within ${withdrawalDays} days.`,
  toAccount: "Go to your account",
  leaving: "Your account is closed, and you can still restore it.",
  picture: {
    label:
      "Tern at work: encrypted files leave a laptop one after the other and are stored in a vault, and one file is restored. A window shows the time of the last backup.",
    messages: {
      window: {
        title: "Tern",
        state: "Up to date",
        lastBackup: "Last backup 12 minutes ago",
        count: "48,213 files, 212 GB",
        hours: "today, hour by hour",
        files: [
          { name: "thesis-chapter-4.md", state: "encrypted" },
          { name: "IMG_2041.heic", state: "encrypted" },
          { name: "budget.ods", state: "restored", restored: true },
        ],
      },
      captions: {
        sealed: "Encrypted on your laptop before it leaves",
        restored: "Restore any file from any hour",
        kept: "Stored in two data centres in Europe",
      },
    },
  },
  how: {
    title: "How it works",
    steps: [
      {
        title: "It notices what changed",
        text: "Every hour, Tern looks for new and changed files. You won't notice it working.",
      },
      {
        title: "It encrypts on your laptop",
        text: "Each file is locked with a key that never leaves your devices. No one else can read what leaves your laptop.",
      },
      {
        title: "You restore what you need",
        text: "One file from last Tuesday, or the whole laptop onto a new one: pick it and it's back.",
      },
    ],
  },
  plans: {
    title: "Plans",
    lead: "Prices include tax. Cancel a paid plan at any time.",
    switchLabel: "Pay monthly or yearly",
    month: "Monthly",
    year: "Yearly",
    yearNote: (months: number) => (months === 0 ? undefined : `${months} ${months === 1 ? "month" : "months"} free`),
    perMonth: "per month",
    perYear: "per year",
    forever: "forever",
    saving: (amount: string, perMonth: string) => `${perMonth} per month – save ${amount} a year`,
    choose: (plan: string, price: string, per: string) => `Get ${plan} for ${price} ${per}`,
    chooseFree: (_plan: string) => "Start for free",
    yours: "Your plan",
    manage: "See my plan",
    notOnSale: "Coming soon",
    restoreFirst: "Restore your account first",
  },
  friend: (amount: string, days: number) =>
    `A friend invited you: get ${amount} back after your first payment. For new customers who sign up in this browser within ${days} days.`,
  questions: {
    title: "Frequently asked questions",
    items: [
      {
        question: "Can you read my files?",
        answer:
          "No. They're encrypted on your laptop with a key we never have. We can't open them, and we can't open them for anyone else either.",
      },
      {
        question: "What if I lose my laptop and forget the key?",
        answer:
          "When you set Tern up, it gives you a recovery sheet to print. With the sheet, you get everything back. Without the laptop and the sheet, no one can restore your files, and that includes us.",
      },
      {
        question: "What happens when I cancel?",
        answer:
          "Your plan stays active until the end of the period you've paid for. Then you move to Free: your newest files stay, as long as they fit that plan. Your plan page and our email say until which day you can download the others.",
      },
      {
        question: "Where are my backups stored?",
        answer: "In two data centres in the European Union, each holding a full copy.",
      },
      {
        question: "Is there a version for teams?",
        answer: "Not yet. A plan covers several devices, but they all belong to one account.",
      },
    ],
  },
};

export const landingMessages: Messages<typeof en> = { en };
