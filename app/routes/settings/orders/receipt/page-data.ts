import type { Route } from "./+types/route";

export type ReceiptPageData = Route.ComponentProps["loaderData"];
