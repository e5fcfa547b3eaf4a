import { createContext } from "react-router";
import type { Viewer } from "#app/modules/accounts/rules.ts";
import type { Claim } from "#app/modules/accounts/commands/session-pass.server.ts";
import type { App } from "#app/app.ts";

export const appContext = createContext<App>();
/** Who the session's cookie says is there; null: it isn't one of ours. Whether the session stands, the viewer tells. */
export const claimContext = createContext<Claim | null>();
/** Who is there: what the table says of the claim. */
export const viewerContext = createContext<Promise<Viewer | null>>();
/** The tables couldn't say who is there, and the page is shown as to a visitor. */
export const viewerUnknownContext = createContext(false);
/** Set behind `requireViewer` only: it holds back whatever was read for a session that is over. */
export const signedInContext = createContext<SignedIn | null>(null);
export type SignedIn = { accountId: string; viewer: Promise<Viewer> };
/** The time zone that the platform takes a request to come from, where it says so. */
export const visitorZoneContext = createContext<string | null>(null);
