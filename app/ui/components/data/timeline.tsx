import type { ReactNode } from "react";

type TimelineProps = { label: string; items: readonly { what: ReactNode; when: ReactNode }[] };

/** Events in chronological order. */
export function Timeline({ label, items }: TimelineProps) {
  return (
    <ol className="timeline" aria-label={label}>
      {items.map((item, index) => (
        <li key={index}>
          <span>{item.what}</span>
          <span className="timeline-when">{item.when}</span>
        </li>
      ))}
    </ol>
  );
}
