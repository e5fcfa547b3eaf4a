import type { Route } from "./+types/route";

/** The page's data. */
export type OrdersPageData = Route.ComponentProps["loaderData"];
