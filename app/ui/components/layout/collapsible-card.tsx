import { createContext, type ReactNode, use, useId } from "react";
import { Flash, FlashContext } from "#app/ui/components/feedback/flash.tsx";
import { Icon } from "#app/ui/components/icons.tsx";

/** The id of the card the user is directed to: it contains what was typed, refused or done. */
export const OpenCardContext = createContext<string | null>(null);

type FoldingCardProps = {
  /** Also a fragment target, which opens it. */
  id: string;
  title: ReactNode;
  /** What a phone shows of it while closed: a word or two. */
  brief: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
  footer?: ReactNode;
};

/**
 * A card of a long page. On a wide screen it is like any other; on a phone it is its title and a summary, and opens without a script.
 * Only one of its two headings is rendered; the other is hidden from assistive technology, too.
 */
export function CollapsibleCard({ id, title, brief, isOpen = false, children, footer }: FoldingCardProps) {
  const headingId = useId();
  const flash = use(FlashContext);
  const isNext = use(OpenCardContext) === id || flash?.cardId === id;
  return (
    <section className="card card-plain card-folding" id={id} tabIndex={-1} aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <details open={isOpen || isNext}>
        <summary>
          <h2>{title}</h2>
          <span className="card-brief">{brief}</span>
          <Icon name="chevron-down" />
        </summary>
        <div className="card-inside">
          {flash?.cardId === id && <Flash arrival={flash.arrival}>{flash.children}</Flash>}
          <div className="card-body">{children}</div>
          {footer && <footer className="card-footer">{footer}</footer>}
        </div>
      </details>
    </section>
  );
}

/** Opens the card before a script navigates to it or to something inside it. */
export function unfold(target: HTMLElement): void {
  const own = target.matches(".card-folding") ? target.querySelector("details") : null;
  for (let fold = own ?? target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
}
