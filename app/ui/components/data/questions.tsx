import type { ReactNode } from "react";
import { Icon } from "#app/ui/components/icons.tsx";

export function Questions({ items }: { items: readonly { question: string; answer: ReactNode }[] }) {
  return (
    <div className="questions">
      {items.map((item) => (
        <details key={item.question}>
          <summary>
            <span>{item.question}</span>
            <Icon name="chevron-down" />
          </summary>
          <div className="questions-answer">{item.answer}</div>
        </details>
      ))}
    </div>
  );
}
