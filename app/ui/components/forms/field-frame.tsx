import { type ReactNode, useId } from "react";
import { Icon } from "#app/ui/components/icons.tsx";

/** Props of every kind of field. The id is the name unless two forms on a page share it, so that an error summary finds it. */
export type FieldProps = { label: ReactNode; name: string; id?: string; hint?: ReactNode; error?: string };

type FieldFrameProps = {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  rules?: readonly string[];
  error?: string;
  children: ReactNode;
};

/** Label, hint, rules and error around a control that spreads `described(...)`. */
export function FieldFrame({ id, label, hint, rules, error, children }: FieldFrameProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FieldHint id={id} hint={hint} />
      {children}
      {rules && (
        <ul className="field-rules" id={`${id}-rules`}>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

export function FieldHint({ id, hint }: { id: string; hint?: ReactNode }) {
  if (!hint) return null;
  return (
    <p className="field-hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
}

export function FieldError({ id, error }: { id: string; error?: string }) {
  if (!error) return null;
  return (
    <p className="field-error" id={`${id}-error`}>
      <Icon name="alert" />
      <span>{error}</span>
    </p>
  );
}

type Described = { hint?: ReactNode; rules?: readonly string[]; error?: string };

/** The attributes that associate a control with its hint, rules and error. */
export function described(id: string, { hint, rules, error }: Described) {
  const ids = [error && `${id}-error`, hint && `${id}-hint`, rules && `${id}-rules`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

/** For groups, whose parts need distinct ids in addition to the name. */
export function usePartIds(name: string): (index: number) => string {
  const prefix = useId();
  return (index) => (index === 0 ? name : `${prefix}${index}`);
}
