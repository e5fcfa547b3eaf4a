import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Icon } from "#app/ui/components/icons.tsx";
import { Link } from "#app/ui/components/link.tsx";

type SettingsLink = { to: string; label: string; end?: boolean };
type SettingsGroup = { label: string; links: readonly SettingsLink[] };
type SettingsShellProps = { groups: readonly SettingsGroup[]; label: string; children: ReactNode };

/** A sidebar of sections on wide screens, a scrolling row on narrow ones: the same list. */
export function SettingsShell({ groups, label, children }: SettingsShellProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useCurrentInView(nav, pathname);
  return (
    <div className="settings">
      <nav className="settings-nav" aria-label={label} ref={nav}>
        <ul className="settings-groups">
          {groups.map((group) => (
            <li key={group.label}>
              <span className="settings-group-label">{group.label}</span>
              <ul className="settings-links">
                {group.links.map((link) => (
                  <li key={link.to}>
                    <Link to={link.to} aria-current={isCurrent(link, pathname) ? "page" : undefined}>
                      {link.label}
                    </Link>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </div>
  );
}

type SettingsPageProps = {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
  /** On a page about one thing: the list that it belongs to. */
  back?: { to: string; label: string };
};

/** One heading, a sentence where one is needed, then cards that each answer one question. */
export function SettingsPage({ title, lead, children, actions, back }: SettingsPageProps) {
  return (
    <div className="settings-page">
      <header>
        <div>
          {back && (
            <Link className="page-back no-print" to={back.to}>
              <Icon name="chevron-left" />
              {back.label}
            </Link>
          )}
          <h1 id="top" tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The page itself and those below it, except for an overview (`end`), which has all others below it. */
function isCurrent({ to, end }: SettingsLink, pathname: string): boolean {
  return pathname === to || (end !== true && pathname.startsWith(`${to}/`));
}

/** In the scrolling row the current section may be out of view; scrolls it in where CSS alone can't. */
function useCurrentInView(nav: RefObject<HTMLElement | null>, pathname: string): void {
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!nav.current || !current) return;
    nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  }, [nav, pathname]);
}
