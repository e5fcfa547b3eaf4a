import { useNavigation } from "react-router";
import { useLeaving } from "#app/ui/hooks/leaving-form.ts";

/** A thin line at the top while the next page loads; CSS delays it so that fast navigations don't show it. */
export function NavigationProgress({ label }: { label: string }) {
  const { state } = useNavigation();
  const isLeaving = useLeaving() !== null;
  if (state === "idle" && !isLeaving) return null;
  return <div className="navigation-progress" role="progressbar" aria-label={label} />;
}
