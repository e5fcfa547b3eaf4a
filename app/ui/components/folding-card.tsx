import { createContext, type ReactNode, use, useId } from "react";
import { Flash, FlashContext } from "./flash.tsx";
import { Icon } from "./icons.tsx";

/** The id of the card that somebody is on the way to: what was typed, refused or done stands there. */
export const OpenCardContext = createContext<string | null>(null);

type FoldingCardProps = {
  /** Also where an address can lead to, which opens it. */
  id: string;
  title: ReactNode;
  /** What a phone shows of it until it is opened: a word or two. */
  brief: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
  footer?: ReactNode;
};

/**
 * A card of a long page. On a wide screen it is like any other; on a phone it is its title and what is in it in brief, and opens
 * without a script. One of its two headings is shown, the other isn't there for anybody.
 */
export function FoldingCard({ id, title, brief, isOpen = false, children, footer }: FoldingCardProps) {
  const headingId = useId();
  const flash = use(FlashContext);
  const isNext = use(OpenCardContext) === id || flash?.place === id;
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
          {flash?.place === id && <Flash arrival={flash.arrival}>{flash.children}</Flash>}
          <div className="card-body">{children}</div>
          {footer && <footer className="card-footer">{footer}</footer>}
        </div>
      </details>
    </section>
  );
}

/** For a script that leads to something in a card, or to the card itself: it is open then. */
export function unfold(target: HTMLElement): void {
  const own = target.matches(".card-folding") ? target.querySelector("details") : null;
  for (let fold = own ?? target.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) {
    fold.open = true;
  }
}
