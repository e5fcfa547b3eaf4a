import { createContext, use } from "react";

/** The page that is shown has third-party scripts, in this document or once it is loaded as one. */
export const ThirdPartyContext = createContext(false);

/**
 * The router changes pages within a document, where third-party scripts would go on running, on pages that they aren't meant for. So pages
 * with such scripts are left, and entered from their own links, by loading a document.
 */
export function useDocumentLoads(): boolean {
  return use(ThirdPartyContext) || (!import.meta.env.SSR && hasThirdPartyScripts());
}

/** Their tags are marked (app/http/page/embed-tags.ts). */
export function hasThirdPartyScripts(): boolean {
  return document.querySelector("[data-third-party]") !== null;
}
