import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { PageFacts } from "./error-reporting.client.ts";

type Reporting = typeof import("./error-reporting.client.ts");

let isStarted = false;
let reporting: Reporting | null = null;
/** Of the page that stood last, for when the SDK arrives. */
let standing: PageFacts;

/**
 * Called by the root for each page that stands. The first is hydrated then, so interactive; the SDK's chunk waits for an
 * idle moment on top.
 */
export function watchPage(settings: ClientSettings | null, page: PageFacts): void {
  if (settings === null) return;
  standing = page;
  reporting?.namePage(page);
  if (isStarted) return;
  isStarted = true;
  whenIdle(() => void startSdk(settings));
}

async function startSdk(settings: ClientSettings): Promise<void> {
  try {
    reporting = await import("./error-reporting.client.ts");
  } catch {
    // A chunk that doesn't arrive (offline, deployed over) is no bug to tell anybody.
    return;
  }
  reporting.startSdk(settings, standing);
}

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(work, { timeout: IDLE_WAIT_MS });
  else setTimeout(work, 1);
}

/** The SDK loads when the browser is idle, and no later than this. */
const IDLE_WAIT_MS = 2_000;
