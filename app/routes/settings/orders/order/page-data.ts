import type { Route } from "./+types/route";

export type OrderPageData = Route.ComponentProps["loaderData"];
