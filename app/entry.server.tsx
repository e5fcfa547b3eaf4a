import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { referenceCookieMs } from "#app/core/cookie-lives.ts";
import { secondMs } from "#app/core/time/time.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { withEmbedTags } from "./http/page/embed-tags.ts";
import { renderWhole } from "./http/page/render-whole.ts";
import { SiteContext } from "./http/page/site-context.ts";
import { siteFacts } from "./http/page/site-facts.ts";
import { withWaitingScripts } from "./http/page/waiting-scripts.ts";
import { ReferenceContext } from "./ui/hooks/reference.ts";

/** React Router gives up on a streamed promise after this long; React gets a second more to render that. */
export const streamTimeout = 5_000;

/** No page streams: none has a promise in its data, so the document is complete when it is sent. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const app = context.get(appContext);
  const { nonce, referenceId } = app;
  let answerStatus = status;
  const document = (
    <ReferenceContext value={referenceId}>
      <SiteContext value={siteFacts(app, request)}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </SiteContext>
    </ReferenceContext>
  );
  const html = await renderWhole(document, {
    nonce,
    timeoutMs: streamTimeout + 1_000,
    // Until the shell is rendered the status can still change; after that, the boundary in the page shows the error.
    onError(error) {
      answerStatus = 500;
      handleError(error, { request, context, params: {} });
    },
  });
  const waiting = withWaitingScripts(html, nonce ?? "");
  const page = withEmbedTags(waiting, app.embeds, nonce ?? "");
  return withReference(new Response(page, { status: answerStatus, headers }), context);
}

export const handleDataRequest: HandleDataRequestFunction = (response, { context }) => withReference(response, context);

/**
 * The browser's boundary must show the id that the report has, and a server error arrives there without its message. A cookie with a
 * lifetime of a minute is the only thing that arrives in time (Server-Timing doesn't: measured, one in three).
 */
function withReference(response: Response, context: ReadonlyContext): Response {
  if (response.status < 500) return response;
  const { referenceId } = context.get(appContext);
  const seconds = referenceCookieMs / secondMs;
  /** The reference id of a bug, for the page that shows it; readable by scripts. `referenceCookieMs`. */
  response.headers.append(
    "Set-Cookie",
    `__Host-reference=${referenceId}; Path=/; Max-Age=${seconds}; Secure; SameSite=Lax`,
  );
  return response;
}

/** Errors in loaders, actions, middleware and rendering. A client that disconnected first isn't a bug. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) context.get(appContext).report(error);
};

type ReadonlyContext = Pick<RouterContextProvider, "get">;
