import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { unfold } from "../components/folding-card.tsx";

/**
 * A browser that opens an address moves the focus to what its fragment names; the router, which only changes the address, leaves
 * it on a button that is gone. So this does what the browser would; without a fragment the focus begins at the page's heading then,
 * which says where one is. Not for the page that was opened: there the browser has. What it names is unfolded in either case.
 */
export function useFocusOnFragment(): void {
  const { key, hash } = useLocation();
  const seen = useRef(key);
  useEffect(() => {
    const target = hash ? document.getElementById(hash.slice(1)) : null;
    if (target) unfold(target);
    if (seen.current === key) return;
    seen.current = key;
    // What came of an act stands where it leads to. Where the page stands is the scroll restoration's business.
    const place = target?.querySelector<HTMLElement>(".flash") ?? target;
    place?.focus({ preventScroll: true });
    if (target || document.activeElement !== document.body) return;
    const heading = document.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, [key, hash]);
}
