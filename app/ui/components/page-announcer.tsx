import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

/** Reads the next page's name aloud: of a document that a script changes nobody is told. Of one that was opened the browser does. */
export function PageAnnouncer() {
  const { key } = useLocation();
  const [said, setSaid] = useState("");
  const title = useRef("");
  useEffect(() => {
    if (title.current !== "" && title.current !== document.title) setSaid(document.title);
    title.current = document.title;
  }, [key]);
  return (
    <span className="visually-hidden" role="status">
      {said}
    </span>
  );
}
