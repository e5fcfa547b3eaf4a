import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("page.tsx"),
  route("elements/:count", "elements.tsx"),
  route("asking/:statements/:count", "asking.tsx"),
] satisfies RouteConfig;
