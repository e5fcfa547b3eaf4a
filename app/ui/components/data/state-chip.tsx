import type { ReactNode } from "react";

type ChipTone = "neutral" | "good" | "attention" | "bad" | "waiting";

/** States differ in shape as well as in colour. */
const glyphs = {
  neutral: "M6 3.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z",
  good: "m2.5 6.5 2.5 2.5 4.5-6",
  attention: "M6 2v4.5M6 9.5v.01",
  bad: "m3 3 6 6M9 3 3 9",
  waiting: "M6 1.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM6 3.8V6l1.6 1.2",
} satisfies Record<ChipTone, string>;

export function StateChip({ tone, children }: { tone: ChipTone; children: ReactNode }) {
  return (
    <span className={`chip chip-${tone}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={glyphs[tone]} />
      </svg>
      {children}
    </span>
  );
}
