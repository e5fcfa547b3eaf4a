import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/**
 * The product that all tests run on, so that they pass with any config: it replaces app/product/config.ts in tests and
 * in the Worker built for them (tests/support/products/fixed-product.ts). The team's own config has
 * tests/architecture/product/product-config.test.ts.
 */
export const product = {
  name: "Tern",
  resources: "foyer",
  jurisdiction: "eu",
  segment: "backup",
  tagline: "Encrypted backup for laptops",
  description: "Tern backs up your laptop every hour, encrypted so only you can open it.",
  currency: "EUR",
  locale: "en-GB",
  timeZone: "Europe/Berlin",

  gate: "plan:studio",
  waitlist: "open",
  invitationsPerDay: 20,

  plans: [
    {
      id: "free",
      name: "Free",
      tagline: "One laptop and the files that matter most",
      prices: null,
      limits: { devices: 1, storageBytes: 5_000_000_000, fileBytes: 2_000_000_000, retentionDays: 30 },
      points: ["1 device", "5 GB of storage", "Files up to 2 GB", "Every version for 30 days"],
    },
    {
      id: "personal",
      name: "Personal",
      tagline: "Everything on your own computers",
      prices: { month: { amountMinor: 600 }, year: { amountMinor: 6000 } },
      limits: { devices: 3, storageBytes: 500_000_000_000, fileBytes: 50_000_000_000, retentionDays: 365 },
      points: ["3 devices", "500 GB of storage", "Files up to 50 GB", "Every version for a year"],
    },
    {
      id: "studio",
      name: "Studio",
      tagline: "More devices and six times the storage",
      prices: { month: { amountMinor: 1500 }, year: { amountMinor: 15000 } },
      limits: { devices: 10, storageBytes: 3_000_000_000_000, fileBytes: 1_000_000_000_000, retentionDays: 365 },
      points: ["10 devices", "3 TB of storage", "Files up to 1 TB", "Every version, as long as you're a customer"],
    },
  ],
  /** What devices report, against which of a plan's limits. */
  meters: [
    { key: "storage", label: "Storage", kind: "last", unit: "bytes", limit: "storageBytes" },
    { key: "largestFile", label: "Largest file", kind: "maximum", unit: "bytes", limit: "fileBytes" },
  ],
  /** Shown wherever a plan is locked because a payment is missing: pages, emails, the product API's document. */
  lockedMeans: "While it's locked, you can restore your files, but no new backups are made.",
  /** Shown before and after a plan gets smaller or ends. */
  dataWhenSmaller:
    "Your newest files stay, up to the new storage limit. Download the rest by {day}; after that, we delete it.",
  dataKeptDays: 30,
  /** Shown where an account is closed. */
  dataWhenClosed: "Your backups stay until your account is erased, and are deleted with it.",
  freeHint: "Upgrade at any time if you need more storage or more devices.",
  /**
   * `"stripe"`: Stripe Tax decides per buyer; only when the account is registered for it. `{ rate: 19, name: "VAT" }`: every price includes
   * 19 %. `{ exempt: "…" }`: no tax, with the wording that the law wants on documents.
   */
  tax: { rate: 19, name: "VAT" },
  /**
   * `required`: the checkout asks every customer for a full address. `auto`: for as much as the payment and Stripe
   * Tax need.
   */
  billingAddress: "auto",

  /** `off`: there are no new referrals; discounts and credit that were promised before are given. */
  referral: {
    state: "open",
    friendDiscountMinor: 500,
    referrerCreditMinor: 500,
    qualifyingAmountMinor: 500,
    /**
     * Days that a friend's payment has to be kept. Never less than a withdrawal and its refund may take
     * (`rewardHoldDays`).
     */
    holdDays: 31,
    rewardsPerYear: 12,
    attributionDays: 30,
  },

  preferences: [
    {
      key: "schedule",
      kind: "choice",
      label: "Backup frequency",
      options: [
        { value: "hourly", label: "Every hour" },
        { value: "daily", label: "Once a day" },
        { value: "manual", label: "Manually" },
      ],
      default: "hourly",
    },
    {
      key: "bandwidthCapMbit",
      kind: "number",
      label: "Upload limit",
      hint: "Mbit/s. Leave at 0 for no limit.",
      min: 0,
      max: 1000,
      default: 0,
    },
    {
      key: "retentionDays",
      kind: "number",
      label: "Days to keep deleted files",
      hint: "Your plan sets the maximum.",
      min: 7,
      max: 365,
      limit: "retentionDays",
      default: 30,
    },
    {
      key: "channel",
      kind: "choice",
      label: "Release channel",
      options: [
        { value: "stable", label: "Stable" },
        { value: "beta", label: "Beta" },
      ],
      default: "stable",
    },
    { key: "notifyOnFailure", kind: "switch", label: "Notify me when a backup fails", default: true },
  ],

  start: {
    downloads: [
      { label: "macOS", href: "https://tern.example/download/mac", detail: "13 or newer, 38 MB" },
      { label: "Windows", href: "https://tern.example/download/windows", detail: "10 or newer, 41 MB" },
      { label: "Linux", href: "https://tern.example/download/linux", detail: "AppImage, 44 MB" },
    ],
    steps: [
      { title: "Install Tern", text: "Download it for your laptop and open it once." },
      {
        title: "Activate it",
        text: "Tern asks for your licence key once.",
        needsKey: true,
      },
      { title: "Choose what to back up", text: "Your home folder is selected. The first backup starts automatically." },
    ],
    activationUrl: "tern://activate",
  },

  seller: {
    name: "Tern Software GmbH",
    address: ["Hafenstraße 12", "20359 Hamburg", "Germany"],
    vatId: "DE123456789",
  },
  imprint: ["Managing director: Ada Lund", "Hamburg district court, HRB 123456", "Telephone: +49 40 1234567"],
  /** Who receives error reports, for the privacy notice. It is named once `SENTRY_DSN` is set. */
  errorReceiver: "Sentry (Functional Software, Inc.)",
  support: "help@tern.example",
  statusUrl: "https://status.tern.example",
  /**
   * Consumers in the EU may withdraw within 14 days, and since June 2026 by a function of the site. `off` takes the page and its
   * links away: for sellers to businesses, say. Whether it may be off, and what it has to say, is a question for a lawyer.
   */
  withdrawalDays: 14,
  afterFirstTerm: "another-term",
  duringDispute: "continue",
  cancellationPage: "on",
  /**
   * Scripts, styles and frames of other companies, each with what it is for and what its policy needs: docs/guides/customise.md. Empty:
   * pages load nothing from anyone else.
   */
  thirdParties: [],
  /** `subdomains` and `preload` bind every host below the site's own, for two years: docs/guides/deploy.md, section 4. */
  httpsOnly: "host",
  terms: { version: "2026-11-01" },
} as const satisfies ProductConfig;
