import type { MiddlewareFunction } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { routeName } from "#workers/monitoring/policy-reports/route-name.rules.ts";

/** Notes which route answers, for reports and traces, since `handleError` isn't passed the route that failed. */
export const noteRoute: MiddlewareFunction<Response> = ({ context, pattern }) => {
  context.get(appContext).route.pattern = routeName(pattern);
};
