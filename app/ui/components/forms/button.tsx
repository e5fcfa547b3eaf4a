import { type MouseEvent, type ReactNode, useId } from "react";
import { Link } from "react-router";

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
  /** A disabled button states its reason: giving one is the only way to disable it. */
  disabledReason?: string;
  /** The reason is shown but the button stays enabled: without a script it couldn't be enabled again. */
  staysOpen?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  children: ReactNode;
};

export function Button(props: ButtonProps) {
  const { kind = "quiet", type = "submit", pending = false, pendingLabel, wide, ...more } = props;
  const { disabledReason, staysOpen = false, ...rest } = more;
  const reasonId = useId();
  const button = (
    <button
      {...rest}
      type={type}
      className={classNames(kind, wide)}
      disabled={disabledReason !== undefined && !staysOpen}
      aria-describedby={disabledReason === undefined ? undefined : reasonId}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      onClick={pending ? refuse : props.onClick}
    >
      <ButtonLabel pending={pending} pendingLabel={pendingLabel}>
        {props.children}
      </ButtonLabel>
    </button>
  );
  if (pendingLabel !== undefined && disabledReason === undefined) {
    return (
      <>
        {button}
        <span className="visually-hidden" role="status">
          {pending && pendingLabel}
        </span>
      </>
    );
  }
  if (disabledReason === undefined) return button;
  return (
    <span className={wide ? "button-held button-wide" : "button-held"}>
      {button}
      <span className="button-reason" id={reasonId}>
        {disabledReason}
      </span>
    </span>
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

type ButtonLabelProps = { pending: boolean; pendingLabel?: string; children: ReactNode };

/** Both labels are stacked, so the button keeps its width while pending. */
function ButtonLabel({ pending, pendingLabel, children }: ButtonLabelProps) {
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
