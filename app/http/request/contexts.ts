import type { AccountId } from "#app/core/id.ts";
import { createContext } from "react-router";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { SessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import type { App } from "#app/app.ts";

export const appContext = createContext<App>();
/**
 * The account that the session cookie claims. Null without a cookie that we signed. Whether the session is active is decided when the
 * viewer is loaded.
 */
export const sessionCookieContext = createContext<SessionCookie | null>();
export const viewerContext = createContext<Promise<Viewer | null>>();
/** The database couldn't load the viewer, so the page is rendered as for a visitor. */
export const viewerUnknownContext = createContext(false);
/** Set behind `requireViewer` only, which discards what was read if the session has ended. */
export const signedInContext = createContext<SignedIn | null>(null);
export type SignedIn = { accountId: AccountId; viewer: Promise<Viewer> };
/** The request's time zone according to the platform, if it reports one. */
export const visitorZoneContext = createContext<string | null>(null);
