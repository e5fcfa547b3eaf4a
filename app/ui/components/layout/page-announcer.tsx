import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * Announces the next page's title after a client-side navigation, which screen readers don't notice. For a full page load the browser
 * does it.
 */
export function PageAnnouncer() {
  const { key } = useLocation();
  const [announced, setSaid] = useState("");
  const title = useRef("");
  useEffect(() => {
    if (title.current !== "" && title.current !== document.title) setSaid(document.title);
    title.current = document.title;
  }, [key]);
  return (
    <span className="visually-hidden" role="status">
      {announced}
    </span>
  );
}
