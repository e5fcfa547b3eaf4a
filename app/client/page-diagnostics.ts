import { useEffect } from "react";
import { useLocation } from "react-router";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import { startDiagnostics } from "./start-diagnostics.client.ts";

type Watched = { page: { diagnostics: ClientSettings | null } | undefined; isMissing: boolean };

/**
 * Called for each rendered page. A change of fragment is a navigation, too. Placed before the page's content: where a part of the page
 * turns out to be missing, that part reports last.
 */
export function PageDiagnostics({ page, isMissing }: Watched): null {
  const location = useLocation();
  useEffect(() => {
    if (page) startDiagnostics(page.diagnostics, { isMissing });
  }, [page, isMissing, location]);
  return null;
}
