/**
 * Who may import what, as one ordered list: a file imports its own layer and, of the layers before it, those that
 * `only` names. tests/architecture/code/imports.test.ts checks every file of app/, workers/ and packages/ against it.
 */
export type Layer = {
  name: string;
  files: RegExp;
  /** What may be imported of the earlier layers; all of them when it is left out. */
  only?: readonly string[];
};

/** From the module that knows nothing of the others to the one that reads them all. */
export const modules = ["catalogue", "email", "accounts", "billing", "referrals", "closing", "operators"] as const;

const moduleLayers: Layer[] = modules.map((name, at) => ({
  name,
  files: new RegExp(`^app/modules/${name}/`),
  only: ["core", "db", "product config", "feature types", "email types", "app", ...modules.slice(0, at)],
}));

export const layers: readonly Layer[] = [
  { name: "monitoring", files: /^workers\/monitoring\// },
  { name: "stripe emulator", files: /^packages\/stripe-emulator\//, only: [] },
  { name: "core", files: /^app\/core\//, only: [] },
  { name: "ui", files: /^app\/ui\//, only: ["core"] },
  { name: "db", files: /^app\/db\/(?!schema\.ts$)/, only: ["core"] },
  {
    name: "product config",
    files: /^app\/(product\/config\.ts|modules\/catalogue\/([a-z-]+\.)?rules\.ts$)/,
    only: ["core"],
  },
  // What both SDKs report, the browser's and the Worker's.
  { name: "error filters", files: /^app\/integrations\/sentry\/[a-z-]+\.rules\.ts$/, only: [] },
  { name: "integrations", files: /^app\/integrations\//, only: ["core", "db", "monitoring", "error filters"] },
  // What the core knows of features, without knowing one.
  { name: "feature types", files: /^app\/feature\.ts$/, only: ["core", "db", "product config"] },
  { name: "types of features' pages", files: /^app\/feature-pages\.ts$/, only: [] },
  // What modules and features describe their emails with.
  {
    name: "email types",
    files: /^app\/modules\/email\/(templates|texts)\.rules\.ts$/,
    only: ["core", "product config"],
  },
  { name: "app", files: /^app\/app\.ts$/ },
  ...moduleLayers,
  // The landing page's text and picture, the legal texts and the logo: what only pages show.
  {
    name: "product pages",
    files: /^app\/product\/(?!messages\.ts$)/,
    only: ["core", "ui", "product config", ...modules],
  },
  { name: "messages of every page", files: /^app\/(root|plain-pages)\.messages\.ts$/, only: ["core"] },
  {
    name: "client",
    files: /^app\/client\//,
    only: ["core", "ui", "monitoring", "error filters", "messages of every page"],
  },
  // A request's first write is guarded by its session, in the database and at the provider.
  {
    name: "session guard",
    files: /^app\/http\/session\/[^/]*\.server\.ts$/,
    only: ["db", "integrations", "app", "accounts"],
  },
  {
    name: "http",
    files: /^app\/http\//,
    only: ["core", "ui", "client", "messages of every page", "product config", "app", "session guard", ...modules],
  },
  { name: "workflows", files: /^app\/workflows\//, only: ["core", "db", "product config", "app", "http", ...modules] },
  // What the core and features describe their calls with.
  {
    name: "api parts",
    files:
      /^app\/(api\/(answers|call|operator-call|operator-problems|problems|problem-schemas|render-preview)|feature-server)\.ts$/,
    only: ["core", "product config", "feature types", "app", "http", ...modules],
  },
  {
    name: "features",
    files: /^app\/features\/[^/]+\/(?!(page|parts)\/|feature(\.server|\.pages)?\.ts$)/,
    only: ["core", "db", "product config", "feature types", "email types", "app", "api parts", ...modules],
  },
  // What pages of the core show of a feature.
  {
    name: "parts of features",
    files: /^app\/features\/[^/]+\/parts\//,
    only: [
      "core",
      "ui",
      "client",
      "product config",
      "app",
      "messages of every page",
      "session guard",
      "http",
      "features",
      ...modules,
    ],
  },
  {
    name: "entries of features",
    files: /^app\/features\/[^/]+\/feature(\.server|\.pages)?\.ts$/,
    only: ["product config", "feature types", "types of features' pages", "api parts", "features", "parts of features"],
  },
  {
    name: "lists of features",
    files: /^app\/features(\.server|\.pages)?\.ts$/,
    only: [
      "core",
      "product config",
      "feature types",
      "types of features' pages",
      "app",
      "api parts",
      "entries of features",
      ...modules,
    ],
  },
  { name: "all emails", files: /^app\/emails\.ts$/, only: ["core", "email types", "features", ...modules] },
  // For the migrations, the generated reference and tests.
  { name: "all tables", files: /^app\/db\/schema\.ts$/, only: ["db", "features", ...modules] },
  {
    name: "api",
    files: /^app\/api\//,
    only: ["core", "product config", "app", "http", "api parts", "lists of features", ...modules],
  },
  // What a page shows from several modules, read in one round trip: in the page's folder.
  {
    name: "page reads",
    files: /^app\/routes\/.+\.server\.ts$/,
    only: ["core", "db", "product config", "app", ...modules],
  },
  {
    name: "routes",
    files: /^app\/(routes\/|root\.tsx$)/,
    only: [
      "core",
      "ui",
      "client",
      "monitoring",
      "product config",
      "product pages",
      "app",
      "messages of every page",
      "session guard",
      "http",
      "workflows",
      "page reads",
      "lists of features",
      ...modules,
    ],
  },
  {
    name: "pages of features",
    files: /^app\/features\/[^/]+\/page\//,
    only: [
      "core",
      "ui",
      "client",
      "product config",
      "app",
      "messages of every page",
      "session guard",
      "http",
      "workflows",
      "features",
      "parts of features",
      "lists of features",
      "routes",
      ...modules,
    ],
  },
  // The types of every text. Nothing imports them: the build puts a product's own texts in place (scripts/site/message-overrides.ts).
  { name: "message overrides", files: /^app\/(message-overrides|product\/messages)\.ts$/ },
  { name: "composition", files: /^app\/|^workers\/[a-z-]+\.ts$/ },
];

/** Rules decide and do nothing else: they know core, libraries that have no effects, and the rules of their module and of earlier ones. */
export const rulesFile = /^app\/(modules|features)\/.+\/([a-z-]+\.)?rules\.ts$/;
export const rulesPackages = ["valibot", "tldts-icann"];

/** A module's tables. They know rules, and tables of the same module or of an earlier one. */
export const schemaFile = /^app\/(modules|features)\/.+\/([a-z-]+\.)?schema\.ts$/;

/** Packages that only some layers may import. */
export const packages: { name: RegExp; layers: readonly string[] }[] = [
  { name: /^drizzle-orm(\/|$)/, layers: ["db", "app", "features", ...modules] },
  { name: /^stripe(\/|$)/, layers: ["integrations", "stripe emulator"] },
  // It replaces Stripe in local runs: nothing that is deployed imports it.
  { name: /^stripe-emulator(\/|$)/, layers: [] },
  { name: /^@sentry\//, layers: ["integrations", "client", "composition"] },
  {
    name: /^(react|react-dom|react-router)(\/|$)/,
    layers: [
      "ui",
      "client",
      "session guard",
      "http",
      "workflows",
      "routes",
      "types of features' pages",
      "parts of features",
      "pages of features",
      "composition",
    ],
  },
];
