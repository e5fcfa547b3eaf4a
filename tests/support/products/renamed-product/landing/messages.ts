import type { Messages } from "#app/core/messages.ts";

const en = {
  title: (product: string, tagline: string) => `${product} | ${tagline}`,
  heading: "On the air while you sleep",
  lead: "Night Desk plays your station from the machine under your table.",
  start: (plan: string) => `Go on the air with ${plan}`,
  startFree: "Listen for nothing",
  startNote: (price: string, per: string, withdrawalDays: number | "off") =>
    withdrawalDays === "off" ? `${price} ${per}.` : `${price} ${per}, and ${withdrawalDays} days to think again.`,
  toAccount: "Go to your station",
  leaving: "Your station is closed. Its page says until when you can restore it.",
  picture: {
    label: "A mast on the air; a sign says how many people listen.",
    messages: { title: "On the air", listeners: "214 people are listening" },
  },
  how: {
    title: "What happens at night",
    steps: [
      { title: "You plan", text: "Drag tonight's titles into an order." },
      { title: "It plays", text: "The machine under your table does the rest." },
    ],
  },
  plans: {
    title: "Stations",
    lead: "All prices with tax.",
    switchLabel: "How often you pay",
    month: "Each month",
    year: "Each year",
    yearNote: (months: number) => (months === 0 ? undefined : `${months} on us`),
    perMonth: "per month",
    perYear: "per year",
    forever: "for good",
    saving: (amount: string, perMonth: string) => `You save ${amount}: ${perMonth} per month`,
    choose: (plan: string, price: string, per: string) => `${plan} for ${price} ${per}`,
    chooseFree: (plan: string) => `Begin in the ${plan}`,
    yours: "Your station now",
    manage: "See your station",
    notOnSale: "Coming later",
    restoreFirst: "Restore your station first",
  },
  friend: (amount: string, days: number) =>
    `Another station sent you: ${amount} of your first payment comes back. We remember it for ${days} days.`,
  questions: {
    title: "Asked by listeners",
    items: [{ question: "Do I need a licence?", answer: "In most countries, yes. We help with the forms." }],
  },
};

export const landingMessages: Messages<typeof en> = { en };
