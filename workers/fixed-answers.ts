import { href } from "react-router";
import { isSafeMethod } from "#app/http/request/visitor.ts";
import { replacedBuildEvent } from "#app/core/replaced-build.ts";

const dayInBrowser = { "Cache-Control": "public, max-age=86400" };

/** What browsers and password managers ask of every site by themselves: answered without a session, the database or a page. */
export function answerFixed(request: Request): Response | null {
  const { origin, pathname } = new URL(request.url);
  if (!isSafeMethod(request)) return null;
  if (/^\/assets\/[^/]+\.\w+$/.test(pathname)) return answerMissingFile(pathname);
  switch (pathname) {
    case "/favicon.ico":
      return new Response(null, { status: 301, headers: { Location: `${origin}/favicon.svg`, ...dayInBrowser } });
    // Taken for a home screen, and only as PNG; without one, the system draws the page.
    case "/apple-touch-icon.png":
    case "/apple-touch-icon-precomposed.png":
      return new Response(null, { status: 404 });
    // https://www.w3.org/TR/change-password-url/: where password managers lead to. Ways to sign in are managed there.
    case "/.well-known/change-password":
      return new Response(null, { status: 302, headers: { Location: origin + href("/settings/security") } });
    default:
      return null;
  }
}

/**
 * A file of a build that was replaced while a tab was open. React Router answers a page's module that can't be loaded by loading the current
 * page again, which loses the click. So this module tells the tab, which loads what it was about to show (app/client/leave-old-build.ts), and
 * then never finishes. Where nothing was about to be shown, it fails like a missing file.
 */
function answerMissingFile(pathname: string): Response {
  if (!pathname.endsWith(".js")) return new Response(null, { status: 404 });
  const script = `const isLeft = !window.dispatchEvent(new Event("${replacedBuildEvent}", { cancelable: true }));
if (!isLeft) throw new Error("This file belongs to an earlier build");
await new Promise(() => {});
`;
  return new Response(script, {
    headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-store" },
  });
}
