import { withPoints } from "#app/modules/catalogue/points.rules.ts";
import type { ProductConfig } from "#app/modules/catalogue/rules.ts";

/** The sample product, Tern: its name, plans, prices, limits and seller. The folder around it has everything else that a team edits. */
export const product = withPoints({
  name: "Tern",
  /** Names the Worker, its database and the package. After the first deployment, another name means another, empty database. */
  resources: "foyer",
  /** Where the first deployment creates the database. It can't be moved later. */
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
  /**
   * Emails that strangers cause together in an hour, and limits of features: docs/guides/deploy.md, section 2. Raise them for a launch, as far as your email service's quota goes (`servicePerHour`, if you know it).
   */
  emailLimits: { strangersPerHour: 5000, waitlistPerMinute: 25 },

  /**
   * At most one plan has `prices: null`: the free plan. Without one, people who don't pay have no plan and no access. The limit `devices` is how
   * many may be active; a product without devices leaves it out of all plans. In a point, the name of a limit in braces is replaced by that
   * plan's limit, as "5 GB" if the name ends in `Bytes`.
   */
  plans: [
    {
      id: "free",
      name: "Free",
      tagline: "One laptop and the files that matter most",
      prices: null,
      limits: { devices: 1, storageBytes: 5_000_000_000, fileBytes: 2_000_000_000, retentionDays: 30 },
      points: [
        "{devices} device",
        "{storageBytes} of storage",
        "Single files up to {fileBytes}",
        "Deleted files kept for {retentionDays} days",
      ],
    },
    {
      id: "personal",
      name: "Personal",
      tagline: "Everything on your own computers",
      prices: { month: { amountMinor: 600 }, year: { amountMinor: 6000 } },
      limits: { devices: 3, storageBytes: 500_000_000_000, fileBytes: 50_000_000_000, retentionDays: 365 },
      points: [
        "{devices} devices",
        "{storageBytes} of storage",
        "Single files up to {fileBytes}",
        "Deleted files kept for {retentionDays} days",
      ],
    },
    {
      id: "studio",
      name: "Studio",
      tagline: "More devices and far more storage",
      prices: { month: { amountMinor: 1500 }, year: { amountMinor: 15000 } },
      limits: { devices: 10, storageBytes: 3_000_000_000_000, fileBytes: 1_000_000_000_000, retentionDays: 365 },
      points: [
        "{devices} devices",
        "{storageBytes} of storage",
        "Single files up to {fileBytes}",
        "Deleted files kept for {retentionDays} days",
      ],
    },
  ],
  /** What devices report, against which of a plan's limits. */
  meters: [
    { key: "storage", label: "Storage", kind: "last", unit: "bytes", limit: "storageBytes" },
    { key: "largestFile", label: "Largest file", kind: "maximum", unit: "bytes", limit: "fileBytes" },
  ],
  /** Shown wherever a plan is locked because a payment is missing: pages, emails, the product API's document. */
  lockedMeans: "While it's locked, you can restore your files, but no new backups are made.",
  /**
   * Shown before and after a plan gets smaller or ends, and in the emails that confirm it: it must be true of every smaller plan. `{day}`
   * is `dataKeptDays` after the change. If omitted, nothing is shown.
   */
  dataWhenSmaller:
    "Your newest files stay, as long as they fit your new plan. Download the others by {day}; after that, we delete them.",
  dataKeptDays: 30,
  /** Shown where an account is closed, and in the email that confirms it. Without it, customers with a plan see `dataWhenSmaller`. */
  dataWhenClosed: "Your backups stay until your account is erased, and are deleted with it.",
  /** Shown on the plan page of the free plan. Leave it out if there is no free plan. */
  freeHint: "Upgrade at any time if you need more storage or more devices.",
  /**
   * `"stripe"`: Stripe Tax decides per buyer; only when the account is registered for it. `{ rate: 19, name: "VAT" }`: every price includes
   * 19 %. `{ exempt: "…" }`: no tax, with the wording that the law wants on documents.
   */
  tax: { rate: 19, name: "VAT" },
  /** Days before a yearly renewal on which its owner is reminded. Some places demand it between 15 and 45 days before. */
  renewalReminderDays: 30,
  /** With `required`, the checkout asks every customer for a full address; with `auto`, for as much as the payment and Stripe Tax need. */
  billingAddress: "auto",

  /** With `off`, there are no new invitations. Discounts and credit that were promised before are still given. */
  referral: {
    state: "open",
    friendDiscountMinor: 500,
    referrerCreditMinor: 500,
    qualifyingAmountMinor: 500,
    /** Days that a friend's payment has to be kept. Never less than a withdrawal and its refund may take (`rewardHoldDays`). */
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
      label: "Upload limit in Mbit/s",
      hint: "0 means no limit.",
      min: 0,
      max: 1000,
      default: 0,
    },
    {
      key: "retentionDays",
      kind: "number",
      label: "Days to keep deleted files",
      hint: "Your plan sets the maximum. Old versions of files you still have aren't affected.",
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
      { title: "Install Tern", text: "Download it for your computer and open it." },
      {
        title: "Activate it",
        text: "Tern asks for your licence key the first time you open it.",
        needsKey: true,
      },
      { title: "Choose what to back up", text: "Your home folder is selected. The first backup starts automatically." },
    ],
    /** Opens the product. Leave it out if no link can. */
    activationUrl: "tern://activate",
  },

  seller: {
    name: "Tern Software GmbH",
    address: ["Hafenstraße 12", "20359 Hamburg", "Germany"],
    vatId: "DE123456789",
  },
  imprint: ["Managing director: Ada Lund", "Hamburg district court, HRB 123456", "Telephone: +49 40 1234567"],
  /** Who receives error reports, for the privacy notice, which names them once `SENTRY_DSN` is set. */
  errorReceiver: "Sentry (Functional Software, Inc.)",
  /** 5 to 22 characters without accents, none of < > \ ' " *. Left out, statements show the descriptor of your Stripe account. */
  statementDescriptor: "Tern Software",
  support: "help@tern.example",
  statusUrl: "https://status.tern.example",
  /**
   * Consumers in the EU may withdraw within 14 days, and since June 2026 by a function of the site. `off` removes the page and its links,
   * for example for sellers to businesses. Whether it may be off, and what it has to say, is a question for a lawyer.
   */
  withdrawalDays: 14,
  /**
   * A renewed year can be ended with a month's notice, and the rest is refunded: § 309 Nr. 9 BGB, for contracts with consumers in Germany.
   * With `another-term`, it ends when it is over.
   */
  afterFirstTerm: "month-notice",
  /**
   * While a customer's bank decides about a disputed payment, which takes months, the plan goes on. With `pause`, it is locked and not charged
   * until then. If the bank decides for the customer, it ends either way.
   */
  duringDispute: "continue",
  /**
   * Sellers to consumers in Germany need a button on every page that cancels a contract without signing in (§ 312k BGB). `off` removes the
   * page and its links.
   */
  cancellationPage: "on",
  /**
   * Scripts, styles and frames of other companies, each with what it is for and what its policy needs: docs/guides/customise.md. While the
   * list is empty, pages load nothing from anyone else.
   */
  thirdParties: [],
  /** `subdomains` and `preload` bind every host below the site's own, for two years: docs/guides/deploy.md, section 4. */
  httpsOnly: "host",
  terms: { version: "2026-11-01" },
} as const satisfies ProductConfig);
