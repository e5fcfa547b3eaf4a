import type { ReactNode } from "react";

type KeyValuesProps = {
  items: readonly { label: string; value: ReactNode }[];
  /** Amounts that add up to a total, aligned like the table above them. */
  sums?: boolean;
};

export function KeyValues({ items, sums = false }: KeyValuesProps) {
  return (
    <dl className={sums ? "key-values key-values-sums" : "key-values"}>
      {/* Labels aren't unique: two withdrawals have the same one. */}
      {items.map((item, index) => (
        <div key={`${index} ${item.label}`}>
          <dt>{item.label}</dt>
          <dd>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
