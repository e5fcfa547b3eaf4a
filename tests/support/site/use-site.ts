import { useRunning } from "#tests/support/use-running.ts";
import { type Site, type SiteOptions, startSite } from "./site.ts";

/** The site of a test file or of a `describe`. Options that depend on something that is started before it are a function. */
export function useSite(options: SiteOptions | (() => SiteOptions) = {}): Site {
  return useRunning(() => startSite(typeof options === "function" ? options() : options));
}
