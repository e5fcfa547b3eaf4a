import { useNavigation } from "react-router";
import { useDocumentSubmission } from "#app/ui/hooks/document-form.ts";

/** A thin line at the top while the next page loads; CSS delays it so that fast navigations don't show it. */
export function NavigationProgress({ label }: { label: string }) {
  const { state } = useNavigation();
  const isSubmitting = useDocumentSubmission() !== null;
  if (state === "idle" && !isSubmitting) return null;
  return <div className="navigation-progress" role="progressbar" aria-label={label} />;
}
