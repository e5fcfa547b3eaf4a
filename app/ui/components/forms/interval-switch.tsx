import { Link } from "#app/ui/components/link.tsx";

type IntervalOption = { value: string; label: string; note?: string; to: string };
type IntervalSwitchProps = { label: string; options: readonly IntervalOption[]; current: string };

/** Links, so that it works without a script and the URL can be shared. */
export function IntervalSwitch({ label, options, current }: IntervalSwitchProps) {
  return (
    <nav className="interval-switch" aria-label={label}>
      {options.map((option) => (
        <Link
          key={option.value}
          to={option.to}
          replace
          preventScrollReset
          aria-current={option.value === current ? "true" : undefined}
        >
          {option.label}
          {option.note && <span className="interval-note">{option.note}</span>}
        </Link>
      ))}
    </nav>
  );
}
