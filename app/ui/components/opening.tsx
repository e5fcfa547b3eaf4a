import { type ReactNode, useId } from "react";
import "../styles/landing.css";

type OpeningProps = {
  title: ReactNode;
  lead: ReactNode;
  action: ReactNode;
  /** One short line beside the action: the price. */
  note?: ReactNode;
  picture: ReactNode;
};

/** The first screen of a public page: one line, one sentence, one action, and the product at work under them. */
export function Opening({ title, lead, action, note, picture }: OpeningProps) {
  return (
    <section className="opening">
      <div className="opening-words">
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

/** A part of a public page under a heading of its own; `aside` stands at the heading's far end. */
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
