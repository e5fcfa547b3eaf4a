import type { Route } from "./+types/route";

/** The page's data. */
export type OrderPageData = Route.ComponentProps["loaderData"];
