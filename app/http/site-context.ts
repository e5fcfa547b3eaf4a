import { createContext } from "react";
import type { siteFacts } from "./site-facts.ts";

/** On the server only, for a page that stands without the root's data: middleware threw before any loader ran. */
export const SiteContext = createContext<ReturnType<typeof siteFacts> | null>(null);
