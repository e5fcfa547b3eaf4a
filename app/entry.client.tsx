import { type ReactNode, startTransition, StrictMode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { type ClientOnErrorFunction } from "react-router";
import { HydratedRouter } from "react-router/dom";
import { routeName } from "#workers/monitoring/policy-reports/route-name.rules.ts";
import { keepEarlyErrors, reportCaught } from "./client/early-errors.ts";
import { endHydration, noteFound, onRecoverableError } from "./client/hydration.ts";

keepEarlyErrors();

/** Reports everything that ends in an error boundary, once. */
const onError: ClientOnErrorFunction = (error, { pattern }) => {
  reportCaught({ error, caughtBy: "router", routePattern: routeName(pattern) });
};

/** Rendered before everything else, and its effect runs last. */
function Page({ children }: { children: ReactNode }) {
  noteFound();
  useEffect(endHydration, []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Page>
        <HydratedRouter onError={onError} />
      </Page>
    </StrictMode>,
    { onRecoverableError },
  );
});
