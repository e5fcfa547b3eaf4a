import type { ReactNode } from "react";

/** A few numbers that belong together, each under what it counts. */
export function Figures({ items }: { items: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="figures-list">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
