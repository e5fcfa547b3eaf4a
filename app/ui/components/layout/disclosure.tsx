import type { ReactNode } from "react";
import { Icon } from "#app/ui/components/icons.tsx";

/** Text to read before the button at its end; opens without a script. */
export function Disclosure({ label, open, children }: { label: ReactNode; open: boolean; children: ReactNode }) {
  return (
    <details className="disclosure" open={open}>
      <summary className="button button-quiet">
        <span className="button-label">{label}</span>
        <Icon name="chevron-down" />
      </summary>
      <div className="disclosure-body">{children}</div>
    </details>
  );
}
