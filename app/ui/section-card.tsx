import { type ReactNode, useId } from "react";

type SectionCardProps = {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  tone?: "plain" | "attention" | "problem";
  id?: string;
};

/** A sheet of paper that answers one question. */
export function SectionCard({ title, children, footer, tone = "plain", id }: SectionCardProps) {
  const headingId = useId();
  return (
    <section className={`card card-${tone}`} id={id} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <div className="card-body">{children}</div>
      {footer && <footer className="card-footer">{footer}</footer>}
    </section>
  );
}
