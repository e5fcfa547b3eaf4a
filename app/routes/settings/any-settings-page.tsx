import { ErrorPage } from "#app/routes/error-page.tsx";
import { SettingsPage } from "#app/ui/components/settings-shell.tsx";
import type { Route } from "./+types/any-settings-page";

export { Outlet as default } from "react-router";

/** What went wrong in one page leaves the way to the others open. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} Page={SettingsPage} />;
}
