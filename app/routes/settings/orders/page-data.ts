import type { Route } from "./+types/route";

export type OrdersPageData = Route.ComponentProps["loaderData"];
