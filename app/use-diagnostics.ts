import { useEffect } from "react";
import { useLocation } from "react-router";
import type { ClientSettings } from "#app/domain/diagnostics/rules.ts";
import { watchPage } from "./start-diagnostics.client.ts";

/** Told of each page that stands. A change of the fragment is a navigation, too. */
export function useDiagnostics(page: { diagnostics: ClientSettings | null } | undefined, isMissing: boolean): void {
  const location = useLocation();
  useEffect(() => {
    if (page) watchPage(page.diagnostics, { isMissing });
  }, [page, isMissing, location]);
}
