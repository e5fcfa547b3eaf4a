import { ErrorPage } from "./error-page.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import type { Route } from "./+types/page-error-boundary";

export { Outlet as default } from "react-router";

/** Shows the error inside the frame that all pages share. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} Page={FormPage} />;
}
