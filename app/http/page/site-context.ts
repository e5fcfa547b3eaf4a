import { createContext } from "react";
import type { siteFacts } from "./site-facts.ts";

/** Server only, for a page rendered without the root's data: middleware threw before any loader ran. */
export const SiteContext = createContext<ReturnType<typeof siteFacts> | null>(null);
