import { Link } from "react-router";

type FooterGroup = { label: string; links: readonly { to: string; label: string }[] };

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
