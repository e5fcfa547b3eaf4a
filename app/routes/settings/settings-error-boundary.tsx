import { ErrorPage } from "#app/routes/error-page.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/settings-error-boundary";

export { Outlet as default } from "react-router";

/** Error boundary of one settings page, which keeps the menu to the others. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} Page={SettingsPage} />;
}
