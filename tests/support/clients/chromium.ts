import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { networkAddresses } from "./network-addresses.ts";

export type Chromium = Awaited<ReturnType<typeof startChromium>>;

export type PageOptions = {
  javaScript?: boolean;
  colorScheme?: "light" | "dark";
  viewport?: { width: number; height: number };
  timeZone?: string;
  /** Pixels of a picture per CSS pixel. */
  pixelRatio?: number;
  /** A running browser: cookies and storage are shared with it. */
  context?: BrowserContext;
};

/** What a page should never have: kept per browser, so that it isn't lost when a page is left. */
export type Trouble = {
  kind: "console" | "page-error" | "failed-request" | "refused-request" | "csp";
  text: string;
  /** Of an answer: its status and path. */
  status?: number;
  path?: string;
};

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** One browser per test file; each page has its own browser profile unless it is given another's. */
export async function startChromium(ownFlags: readonly string[] = []) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...flags, ...ownFlags] });
  return {
    newPage: (options: PageOptions = {}) => newPage(browser, options),
    close: () => browser.close(),
  };
}

/** Each profile has a different address: with one address they would be rate limited. */
const nextNetworkAddress = networkAddresses("198.19");

async function newPage(browser: Browser, options: PageOptions) {
  const { javaScript = true, colorScheme = "light", viewport = { width: 1280, height: 900 }, timeZone } = options;
  const settings: BrowserContextOptions = {
    javaScriptEnabled: javaScript,
    colorScheme,
    viewport,
    timezoneId: timeZone,
    deviceScaleFactor: options.pixelRatio,
    reducedMotion: "reduce",
    extraHTTPHeaders: { "CF-Connecting-IP": nextNetworkAddress() },
  };
  const context = options.context ?? (await browser.newContext(settings));
  const page = await context.newPage();
  const troubles: Trouble[] = [];
  page.setDefaultTimeout(15_000);
  await watch(page, troubles, javaScript);
  return {
    page,
    context,
    troubles,
    /** Once React has hydrated the page; without JavaScript there is nothing to wait for. */
    alive: () => (javaScript ? waitUntilAlive(page) : Promise.resolve()),
  };
}

/**
 * Chromium logs every answer of 400 and more to the console without saying which; those are taken from the answers
 * themselves. A request that a navigation cuts short (ERR_ABORTED) is no failure.
 */
async function watch(page: Page, troubles: Trouble[], javaScript: boolean): Promise<void> {
  page.on("console", (message) => {
    const text = message.text();
    if (text.startsWith(cspSignal)) troubles.push({ kind: "csp", text: text.slice(cspSignal.length) });
    else if (/content security policy/i.test(text)) troubles.push({ kind: "csp", text });
    else if (message.type() === "error" && !text.startsWith("Failed to load resource")) {
      troubles.push({ kind: "console", text });
    }
  });
  page.on("pageerror", (error) => {
    // Without JavaScript none of our code can throw. What Chromium reports of a view transition that it skipped is no
    // error.
    if (!javaScript || /transition was (skipped|aborted)/i.test(error.message)) return;
    troubles.push({ kind: "page-error", text: error.stack || `${error.name}: ${error.message}` });
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "unknown";
    // Without JavaScript Chromium refuses to preload scripts, and calls that "csp".
    if (!javaScript && request.resourceType() === "script") return;
    if (reason !== "net::ERR_ABORTED") troubles.push({ kind: "failed-request", text: `${request.url()}: ${reason}` });
  });
  page.on("response", (response) => {
    const status = response.status();
    const { pathname: path } = new URL(response.url());
    if (status >= 400) troubles.push({ kind: "refused-request", text: `${response.url()}: ${status}`, status, path });
  });
  await page.addInitScript((signal) => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.info(
        `${signal}${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  }, cspSignal);
}

const cspSignal = "securitypolicyviolation: ";

/**
 * React leaves its props on every node that it has hydrated; no private name is stable, this prefix has been for
 * years.
 */
async function waitUntilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__reactProps$")),
  );
}

/**
 * CHROMIUM_PATH, what Linux distributions install, or what Playwright downloaded. The headless one is a third faster.
 */
function findChromium(): string {
  const candidates = [
    process.env["CHROMIUM_PATH"],
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    chromium.executablePath(),
  ];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) {
    throw new Error(
      "The browser suite needs Chromium, and there is none. Install it with `apt-get install -y chromium` (Debian, Ubuntu) " +
        "or `npx playwright-core install chromium` (everywhere), or name one in CHROMIUM_PATH.",
    );
  }
  return found;
}
