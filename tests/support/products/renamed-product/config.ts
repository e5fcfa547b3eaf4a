import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * This folder is what another team makes of `app/product`: every word, plan, price, meter and setting is different. A
 * copy of the repository is built and tested with it (tests/http/commands/renamed.test.ts, `npm run check:rename`).
 */
export const product = {
  name: "Night Desk",
  resources: "night-desk",
  segment: "radio",
  tagline: "A radio station for one",
  description: "Night Desk plays out a station from the machine under your table, all night, without you.",
  currency: "JPY",
  locale: "ja-JP",
  timeZone: "Atlantic/Azores",

  gate: "signup",
  waitlist: "open",
  invitationsPerDay: 4,

  plans: [
    {
      id: "loft",
      name: "Loft",
      tagline: "For the room you sit in",
      prices: null,
      limits: { devices: 1, listeners: 5, archiveBytes: 1_000_000_000 },
      points: ["1 desk", "5 listeners"],
    },
    {
      id: "airing",
      name: "Airing",
      tagline: "For a town",
      prices: { month: { amountMinor: 924 }, year: { amountMinor: 9900 } },
      limits: { devices: 4, listeners: 300, archiveBytes: 40_000_000_000 },
      points: ["4 desks", "300 listeners", "A month of archive"],
    },
    {
      id: "tower-fm",
      name: "Tower (FM+)",
      tagline: "For a county",
      prices: { month: { amountMinor: 2450 }, year: { amountMinor: 24_000 } },
      limits: { devices: 12, listeners: 20_000, archiveBytes: 900_000_000_000 },
      points: ["12 desks", "20,000 listeners", "A year of archive", "A frequency of your own"],
    },
    {
      id: "mast",
      name: "Mast",
      tagline: "For a country",
      prices: { month: { amountMinor: 8000 }, year: { amountMinor: 80_000 } },
      limits: { devices: 40, listeners: 5_000_000, archiveBytes: 9_000_000_000_000 },
      points: ["40 desks", "As many listeners as there are"],
    },
  ],
  meters: [
    { key: "audience", label: "Listeners at once", kind: "maximum", unit: "count", limit: "listeners" },
    { key: "archive", label: "Archive", kind: "last", unit: "bytes", limit: "archiveBytes" },
  ],
  lockedMeans: "Your station plays what was planned; you can't plan anything new.",
  dataWhenSmaller: "Recordings that don't fit are deleted after 60 days.",
  dataWhenClosed: "Recordings are deleted with the account.",
  freeHint: "Choose another plan as soon as more people listen.",
  tax: "stripe",
  billingAddress: "auto",

  referral: {
    state: "open",
    friendDiscountMinor: 300,
    referrerCreditMinor: 400,
    qualifyingAmountMinor: 600,
    holdDays: 35,
    rewardsPerYear: 6,
    attributionDays: 45,
  },

  preferences: [
    { key: "loudness", kind: "number", label: "Loudness", min: -30, max: 0, default: -16 },
    { key: "announceTime", kind: "switch", label: "Say the time on the hour", default: false },
    {
      key: "repeats",
      kind: "choice",
      label: "How soon a title may come again",
      options: [
        { value: "night", label: "Not in the same night" },
        { value: "week", label: "Not in the same week" },
      ],
      default: "week",
    },
  ],

  start: {
    downloads: [{ label: "Raspberry Pi", href: "https://desk.example/image", detail: "64 bit, 900 MB" }],
    steps: [
      { title: "Write the card", text: "Put the image on a card of 8 GB." },
      { title: "Plug it in", text: "It hums once when it is on the air." },
    ],
    activationUrl: "nightdesk://pair",
  },

  seller: { name: "Night Desk Lda.", address: ["Rua do Farol 3", "9900-014 Horta", "Portugal"], vatId: "PT123456789" },
  errorReceiver: null,
  support: "desk@night.example",
  statusUrl: "https://status.night.example",
  withdrawalDays: 14,
  afterFirstTerm: "month-notice",
  duringDispute: "pause",
  cancellationPage: "off",
  httpsOnly: "subdomains",
  terms: { version: "2027-02-03" },
} as const satisfies ProductConfig;
