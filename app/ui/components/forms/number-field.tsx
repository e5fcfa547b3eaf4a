import { described, FieldFrame, type FieldProps } from "./field-frame.tsx";

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
