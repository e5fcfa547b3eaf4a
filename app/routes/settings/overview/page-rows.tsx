import { Icon } from "#app/ui/components/icons.tsx";
import { Link } from "#app/ui/components/link.tsx";

type PageRowsProps = { label: string; rows: readonly { to: string; title: string; brief: string }[] };

/** On a phone: the account's pages, each with what is set there. A wide screen has the menu beside it. */
export function PageRows({ label, rows }: PageRowsProps) {
  return (
    <nav className="card page-rows" aria-label={label}>
      <ul>
        {rows.map(({ to, title, brief }) => (
          <li key={to}>
            <Link to={to}>
              <span className="page-row-title">{title}</span>
              <span className="card-brief">{brief}</span>
              <Icon name="chevron-right" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
