import { useEffect } from "react";
import { useLocation } from "react-router";
import type { ClientSettings } from "#workers/monitoring/rules.ts";
import { watchPage } from "./start-diagnostics.client.ts";

type Watched = { page: { diagnostics: ClientSettings | null } | undefined; isMissing: boolean };

/**
 * Told of each page that stands. A change of the fragment is a navigation, too. Stands before what it tells of: where a part of
 * the page turns out to be missing, that part is heard last.
 */
export function Diagnostics({ page, isMissing }: Watched): null {
  const location = useLocation();
  useEffect(() => {
    if (page) watchPage(page.diagnostics, { isMissing });
  }, [page, isMissing, location]);
  return null;
}
