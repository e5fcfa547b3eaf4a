import { createContext } from "react";

/**
 * The reference id of the request that a page is rendered for, on the server only. Not in a loader's data: what is shown
 * when something broke can't wait for a loader, which hasn't run when middleware or an action threw.
 */
export const ReferenceContext = createContext<string | null>(null);
