import { Link } from "#app/ui/components/link.tsx";

type FooterLink = { to: string; label: string };
type FooterGroup = { label: string; links: readonly FooterLink[] };

type SiteFooterProps = {
  groups: readonly FooterGroup[];
  note: string;
};

export function SiteFooter({ groups, note }: SiteFooterProps) {
  return (
    <footer className="site-footer">
      <div className="footer-groups">
        {groups.map((group) => (
          <div key={group.label}>
            <h2>{group.label}</h2>
            <ul className="footer-links">
              {group.links.map((link) => (
                <li key={link.to}>
                  <Link to={link.to}>{link.label}</Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className="footer-end">
        <p>{note}</p>
      </div>
    </footer>
  );
}

/** One line: the links that every page needs. */
export function LineFooter({ links, note }: { links: readonly FooterLink[]; note: string }) {
  return (
    <footer className="site-footer">
      <div className="footer-end">
        <ul className="footer-line">
          {links.map((link) => (
            <li key={link.to}>
              <Link to={link.to}>{link.label}</Link>
            </li>
          ))}
        </ul>
        <p>{note}</p>
      </div>
    </footer>
  );
}
