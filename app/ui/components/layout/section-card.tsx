import { type ReactNode, use, useId } from "react";
import { Flash, FlashContext } from "#app/ui/components/feedback/flash.tsx";

type SectionCardProps = {
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  tone?: "plain" | "attention" | "problem";
  /** Makes the card a fragment target, which also takes the focus. */
  id?: string;
};

/** A card that answers one question. */
export function SectionCard({ title, children, footer, tone = "plain", id }: SectionCardProps) {
  const headingId = useId();
  const flash = use(FlashContext);
  return (
    <section
      className={`card card-${tone}`}
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={headingId}
    >
      <h2 id={headingId}>{title}</h2>
      {flash && flash.cardId === id && <Flash arrival={flash.arrival}>{flash.children}</Flash>}
      <div className="card-body">{children}</div>
      {footer && <footer className="card-footer">{footer}</footer>}
    </section>
  );
}
