import type { ReactNode } from "react";

type Step = {
  title: ReactNode;
  text: ReactNode;
  /** What the step needs, below its text. */
  more?: ReactNode;
};

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        <li key={index}>
          <h3>{step.title}</h3>
          <p>{step.text}</p>
          {step.more}
        </li>
      ))}
    </ol>
  );
}
