import { described, FieldError, FieldHint, type FieldProps } from "./field-frame.tsx";

type SwitchFieldProps = FieldProps & { value?: string; defaultChecked?: boolean };

/** A checkbox styled as a switch, whose form is saved as soon as it changes. With a button to save, use `CheckField`. */
export function SwitchField(props: SwitchFieldProps) {
  const { label, name, id = name, hint, error, value = "on", ...rest } = props;
  return (
    <div className="check check-switch">
      <label className="check-label">
        <span>{label}</span>
        <input
          {...rest}
          {...described(id, { hint, error })}
          className="switch"
          type="checkbox"
          role="switch"
          id={id}
          name={name}
          value={value}
        />
      </label>
      <FieldHint id={id} hint={hint} />
      <FieldError id={id} error={error} />
    </div>
  );
}
