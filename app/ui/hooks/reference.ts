import { createContext } from "react";

/**
 * The reference id of the request being rendered, on the server only. Not in a loader's data: an error page can't wait for a loader,
 * which hasn't run when middleware or an action threw.
 */
export const ReferenceContext = createContext<string | null>(null);
