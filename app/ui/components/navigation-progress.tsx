import { useNavigation } from "react-router";
import { useLeaving } from "../hooks/leaving-form.ts";

/** A thin line at the top while the next page is on its way; CSS keeps it back until that takes longer than a moment. */
export function NavigationProgress({ label }: { label: string }) {
  const { state } = useNavigation();
  const isLeaving = useLeaving() !== null;
  if (state === "idle" && !isLeaving) return null;
  return <div className="navigation-progress" role="progressbar" aria-label={label} />;
}
