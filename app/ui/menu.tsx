import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

type MenuProps = { id: string; label: ReactNode; children: ReactNode };

/** A button and a popover of links or forms: the browser opens, closes and returns the focus, with or without a script. */
export function Menu({ id, label, children }: MenuProps) {
  return (
    <span className="menu">
      <button type="button" className="button button-plain" popoverTarget={id}>
        <span className="button-label">
          {label}
          <Icon name="chevron-down" />
        </span>
      </button>
      <div className="menu-list" id={id} popover="auto">
        {children}
      </div>
    </span>
  );
}
