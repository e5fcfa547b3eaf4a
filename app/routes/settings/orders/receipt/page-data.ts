import type { Route } from "./+types/route";

/** The page's data. */
export type ReceiptPageData = Route.ComponentProps["loaderData"];
