import type { ReactNode } from "react";

export function Steps({ steps }: { steps: readonly { title: ReactNode; text: ReactNode }[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={index}>
          <h3>{step.title}</h3>
          <p>{step.text}</p>
        </li>
      ))}
    </ol>
  );
}
