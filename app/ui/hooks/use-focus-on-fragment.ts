import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { unfold } from "#app/ui/components/layout/collapsible-card.tsx";

/**
 * A browser that loads a URL moves focus to the fragment's target; the router, which only changes the URL, leaves it on a button that is
 * gone. This does what the browser would; without a fragment, focus moves to the page's heading, which identifies the page. Not on the
 * first load: the browser has done it. A folded target is opened in either case.
 */
export function useFocusOnFragment(): void {
  const { key, hash } = useLocation();
  const seen = useRef(key);
  useEffect(() => {
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) unfold(target);
    if (seen.current === key) return;
    seen.current = key;
    // An action's result is shown at its fragment. The scroll position is left to scroll restoration.
    const place = target?.querySelector<HTMLElement>(".flash") ?? target;
    place?.focus({ preventScroll: true });
    if (target || document.activeElement !== document.body) return;
    const heading = document.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [key, hash]);
}
