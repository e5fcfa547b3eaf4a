import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { type ClientOnErrorFunction } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { routeName } from "#workers/monitoring/policy-reports/route-name.rules.ts";
import { keepEarlyErrors, reportCaught } from "./client/early-errors.ts";

keepEarlyErrors();

/** Reports everything that ends in an error boundary, once. */
const onError: ClientOnErrorFunction = (error, { pattern }) => {
  reportCaught({ error, caughtBy: "router", routePattern: routeName(pattern) });
};

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
  );
});
