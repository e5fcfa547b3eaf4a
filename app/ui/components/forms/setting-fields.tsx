import { described, FieldError, FieldFrame, FieldHint, type FieldProps } from "./field-frame.tsx";

type NumberFieldProps = FieldProps & {
  defaultValue?: number | string;
  min?: number;
  max?: number;
  step?: number;
  required?: boolean;
  /** The unit rendered after the number: "GB", "days". */
  unit?: string;
};

export function NumberField(props: NumberFieldProps) {
  const { label, name, id = name, hint, error, unit, ...rest } = props;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <span className="number">
        <input
          {...rest}
          {...described(id, { hint, error })}
          className="input"
          id={id}
          name={name}
          type="number"
          inputMode="numeric"
        />
        {unit && <span className="number-unit">{unit}</span>}
      </span>
    </FieldFrame>
  );
}

type SwitchFieldProps = FieldProps & { value?: string; defaultChecked?: boolean };

/** A checkbox styled as a switch: its form is saved as soon as it changes. With a button to save, take a `CheckField`. */
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
