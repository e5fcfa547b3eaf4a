import type { MouseEvent } from "react";
import { Icon } from "#app/ui/components/icons.tsx";
import { useArrivalFocus } from "#app/ui/hooks/use-arrival-focus.ts";

type ErrorSummaryProps = { title: string; errors: readonly { field: string; message: string }[] };

/** Takes focus and links to the fields. */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const focusable = useArrivalFocus(errors.length > 0);
  if (errors.length === 0) return null;
  return (
    <div className="notice notice-problem" role="alert" {...focusable}>
      <Icon name="alert" />
      <div>
        <h2 className="notice-title">{title}</h2>
        <ul className="error-links">
          {errors.map((error) => (
            <li key={error.field + error.message}>
              <a href={`#${error.field}`} onClick={(event) => leadTo(event, error.field)}>
                {error.message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** A script does this, because the router treats a new fragment as a navigation, which would discard the errors. */
function leadTo(event: MouseEvent, field: string): void {
  const control = document.getElementById(field);
  if (!control) return;
  event.preventDefault();
  control.focus();
}
