import { use, useEffect } from "react";
import { createPath, type Navigation, UNSAFE_DataRouterContext } from "react-router";
import { replacedBuildEvent } from "#app/core/replaced-build.ts";
import { sendAsDocument } from "./send-as-document.ts";

/**
 * In a tab that was open before a deployment, the files of pages that it hasn't shown yet are gone (workers/fixed-answers.ts). The browser
 * then loads as a document what the user asked for: after a click that address, after a form that of the redirect. Each only once.
 *
 * Asks the router itself: what `useNavigation` returns is rendered as a transition, which on a slow device takes longer than the answer
 * about a missing file.
 */
export function LeaveOldBuild() {
  const router = use(UNSAFE_DataRouterContext)?.router;
  useEffect(() => {
    let left: Navigation | null = null;
    const leave = (event: Event) => {
      if (!router || router.state.navigation.state === "idle") return;
      const { navigation, location } = router.state;
      // This page's own module is here, so its form is on the way, and what is missing is no page's.
      const isSent =
        navigation.state === "submitting" &&
        new URL(navigation.formAction, document.baseURI).pathname === location.pathname;
      if (isSent) return;
      event.preventDefault();
      if (left === navigation) return;
      left = navigation;
      if (navigation.state === "submitting" && navigation.formMethod !== "GET") {
        void sendAsDocument(
          new URL(navigation.formAction, document.baseURI).href,
          navigation.formData ?? new FormData(),
        );
      } else window.location.assign(createPath(navigation.location));
    };
    window.addEventListener(replacedBuildEvent, leave);
    return () => window.removeEventListener(replacedBuildEvent, leave);
  }, [router]);
  return null;
}
