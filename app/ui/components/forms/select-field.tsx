import type { HTMLInputAutoCompleteAttribute } from "react";
import { Icon } from "#app/ui/components/icons.tsx";
import { described, FieldFrame, type FieldProps } from "./field-frame.tsx";

type SelectOption = { value: string; label: string };

type SelectFieldProps = FieldProps & {
  defaultValue?: string;
  options: readonly (SelectOption | { group: string; options: readonly SelectOption[] })[];
  required?: boolean;
  autoComplete?: HTMLInputAutoCompleteAttribute;
};

export function SelectField(props: SelectFieldProps) {
  const { label, name, id = name, hint, error, options, ...rest } = props;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <span className="select">
        <select {...rest} {...described(id, { hint, error })} className="input" id={id} name={name}>
          {options.map((option) =>
            "group" in option ? (
              <optgroup key={option.group} label={option.group}>
                {optionsOf(option.options)}
              </optgroup>
            ) : (
              optionsOf([option])
            ),
          )}
        </select>
        <Icon name="chevron-down" />
      </span>
    </FieldFrame>
  );
}

function optionsOf(options: readonly SelectOption[]) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
