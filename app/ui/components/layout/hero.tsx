import { type ReactNode, useId } from "react";
import "#app/ui/styles/landing.css";

type OpeningProps = {
  title: ReactNode;
  lead: ReactNode;
  action: ReactNode;
  /** One short line beside the action: the price. */
  note?: ReactNode;
  picture: ReactNode;
};

/** The hero of a public page: a headline, a sentence, one action, and the product at work below them. */
export function Hero({ title, lead, action, note, picture }: OpeningProps) {
  return (
    <section className="opening">
      <div className="opening-text">
        <h1>{title}</h1>
        <p className="opening-lead">{lead}</p>
        <div className="opening-action">
          {action}
          {note && <p className="opening-note">{note}</p>}
        </div>
      </div>
      {picture}
    </section>
  );
}

type PageSectionProps = { title: ReactNode; lead?: ReactNode; aside?: ReactNode; id?: string; children: ReactNode };

/** A section of a public page under its own heading; `aside` is at the heading's far end. */
export function PageSection({ title, lead, aside, id, children }: PageSectionProps) {
  const headingId = useId();
  return (
    <section className="page-section" id={id} aria-labelledby={headingId}>
      <header>
        <div>
          <h2 id={headingId}>{title}</h2>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  );
}
