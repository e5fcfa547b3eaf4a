import type { ClientSettings } from "#app/domain/diagnostics/rules.ts";

let isStarted = false;

export type PageFacts = { isMissing: boolean };

/** Called by the root once it is hydrated, so the page is interactive; the SDK's chunk waits for an idle moment on top. */
export function startDiagnostics(settings: ClientSettings | null, page: PageFacts = { isMissing: false }): void {
  if (settings === null || isStarted) return;
  isStarted = true;
  whenIdle(() => {
    // A chunk that doesn't arrive (offline, deployed over) is no bug to tell anybody.
    import("#app/gateways/error-reporting.client.ts").then(
      ({ startSdk }) => startSdk(settings, page),
      () => undefined,
    );
  });
}

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(work, { timeout: IDLE_WAIT_MS });
  else setTimeout(work, 1);
}

const IDLE_WAIT_MS = 2_000;
