import type { MouseEvent, ReactNode } from "react";
import { Link } from "#app/ui/components/link.tsx";

type ButtonKind = "primary" | "quiet" | "danger" | "plain";

type ButtonProps = {
  kind?: ButtonKind;
  type?: "submit" | "button" | "reset";
  name?: string;
  value?: string;
  /** Keeps its place and focus while pending, but can't be pressed twice. */
  pending?: boolean;
  pendingLabel?: string;
  wide?: boolean;
  form?: string;
  formAction?: string;
  formNoValidate?: boolean;
  /** Replaces the label of a button that can't be pressed yet, and says for how long: giving one is the only way to disable it. */
  waitLabel?: string;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
};

export function Button(props: ButtonProps) {
  const { kind = "quiet", type = "submit", pending = false, pendingLabel, waitLabel, wide, ...rest } = props;
  const button = (
    <button
      {...rest}
      type={type}
      className={classNames(kind, wide)}
      disabled={waitLabel !== undefined}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? refuse : props.onClick}
    >
      <ButtonLabel pending={pending} pendingLabel={pendingLabel} waitLabel={waitLabel}>
        {props.children}
      </ButtonLabel>
    </button>
  );
  if (pendingLabel === undefined || waitLabel !== undefined) return button;
  return (
    <>
      {button}
      <span className="visually-hidden" role="status">
        {pending && pendingLabel}
      </span>
    </>
  );
}

type LinkButtonProps = {
  to: string;
  kind?: ButtonKind;
  wide?: boolean;
  reloadDocument?: boolean;
  /** For an external page that doesn't lead back here; the label says so. */
  newTab?: boolean;
  children: ReactNode;
};

export function LinkButton({ to, kind = "quiet", wide, reloadDocument, newTab, children }: LinkButtonProps) {
  const tab = newTab ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <Link to={to} reloadDocument={reloadDocument} className={classNames(kind, wide)} {...tab}>
      <span className="button-label">{children}</span>
    </Link>
  );
}

type ButtonLabelProps = { pending: boolean; pendingLabel?: string; waitLabel?: string; children: ReactNode };

/** Both labels are stacked, so the button keeps its width while pending. */
function ButtonLabel({ pending, pendingLabel, waitLabel, children }: ButtonLabelProps) {
  if (waitLabel !== undefined) return <span className="button-label figures">{waitLabel}</span>;
  if (pendingLabel === undefined) return <span className="button-label">{children}</span>;
  return (
    <>
      <span className={pending ? "button-label button-label-away" : "button-label"}>{children}</span>
      <span className={pending ? "button-label" : "button-label button-label-away"}>{pendingLabel}</span>
    </>
  );
}

function classNames(kind: ButtonKind, wide: boolean | undefined): string {
  return `button button-${kind}${wide ? " button-wide" : ""}`;
}

function refuse(event: MouseEvent<HTMLButtonElement>): void {
  event.preventDefault();
}
