import { useEffect, useRef } from "react";
import { createPath, useLocation, useNavigation } from "react-router";
import { replacedBuildEvent } from "#app/core/replaced-build.ts";
import { sendAsDocument } from "./send-as-document.ts";

/**
 * In a tab that was open before a deployment, the files of pages that it hasn't shown yet are gone (workers/fixed-answers.ts). The browser
 * then loads as a document what the user asked for: after a click that address, after a form that of the redirect. Each only once.
 */
export function LeaveOldBuild() {
  const navigation = useNavigation();
  const { pathname } = useLocation();
  const left = useRef<ReturnType<typeof useNavigation> | null>(null);
  useEffect(() => {
    const leave = (event: Event) => {
      if (navigation.state === "idle") return;
      // This page's own module is here, so its form is on the way, and what is missing is no page's.
      const isSent =
        navigation.state === "submitting" && new URL(navigation.formAction, document.baseURI).pathname === pathname;
      if (isSent) return;
      event.preventDefault();
      if (left.current === navigation) return;
      left.current = navigation;
      if (navigation.state === "submitting" && navigation.formMethod !== "GET") {
        void sendAsDocument(
          new URL(navigation.formAction, document.baseURI).href,
          navigation.formData ?? new FormData(),
        );
      } else window.location.assign(createPath(navigation.location));
    };
    window.addEventListener(replacedBuildEvent, leave);
    return () => window.removeEventListener(replacedBuildEvent, leave);
  }, [navigation, pathname]);
  return null;
}
