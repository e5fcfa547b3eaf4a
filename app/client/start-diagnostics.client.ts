import type { ClientSettings } from "#workers/monitoring/rules.ts";
import type { PageFacts } from "./browser-sdk.client.ts";

type Reporting = typeof import("./browser-sdk.client.ts");

let isStarted = false;
let reporting: Reporting | null = null;
/** The last rendered page, for when the SDK has loaded. */
let pageFacts: PageFacts;

/**
 * Called by the root for each rendered page. The first one is hydrated, so interactive, by then; the SDK's chunk also waits for an idle
 * moment.
 */
export function startDiagnostics(settings: ClientSettings | null, page: PageFacts): void {
  if (settings === null) return;
  pageFacts = page;
  reporting?.namePage(page);
  if (isStarted) return;
  isStarted = true;
  whenIdle(() => void startSdk(settings));
}

async function startSdk(settings: ClientSettings): Promise<void> {
  try {
    reporting = await import("./browser-sdk.client.ts");
  } catch {
    // A chunk that fails to load (offline, new deployment) isn't a bug to report.
    return;
  }
  reporting.startSdk(settings, pageFacts);
}

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(work, { timeout: IDLE_WAIT_MS });
  else setTimeout(work, 1);
}

/** The SDK loads when the browser is idle, and no later than this. */
const IDLE_WAIT_MS = 2_000;
