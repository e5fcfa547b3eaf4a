import { type MouseEvent, useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { Icon } from "./icons.tsx";
import { useHydrated } from "./use-hydrated.ts";

type ErrorSummaryProps = { title: string; errors: readonly { field: string; message: string }[] };

/**
 * Takes focus when it appears: by `autofocus` in a page that comes from the server, by script after a submission in
 * place. It doesn't take it again when the page comes alive, because by then somebody may be typing.
 */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const appearedInPlace = useRef(useHydrated());
  const { state } = useNavigation();
  const shown = errors.length > 0 && state === "idle";
  useEffect(() => {
    if (shown && appearedInPlace.current) box.current?.focus();
    appearedInPlace.current = true;
  }, [shown]);
  if (errors.length === 0) return null;
  return (
    <div className="notice notice-problem" ref={box} role="alert" tabIndex={-1} autoFocus>
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

/** By script, since a new fragment is a navigation to the router, which forgets what was wrong. */
function leadTo(event: MouseEvent, field: string): void {
  const control = document.getElementById(field);
  if (!control) return;
  event.preventDefault();
  control.focus();
}
