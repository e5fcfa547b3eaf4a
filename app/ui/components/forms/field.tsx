import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, ReactNode } from "react";
import { described, FieldError, FieldFrame, FieldHint, type FieldProps, usePartIds } from "./field-frame.tsx";

type TextFieldProps = FieldProps & {
  defaultValue?: string;
  type?: HTMLInputTypeAttribute;
  autoComplete?: HTMLInputAutoCompleteAttribute;
  inputMode?: "text" | "email" | "numeric" | "decimal" | "tel" | "url" | "search" | "none";
  required?: boolean;
  spellCheck?: boolean;
  autoCapitalize?: string;
  autoFocus?: boolean;
  readOnly?: boolean;
  rules?: readonly string[];
};

export function Field(props: TextFieldProps) {
  const { label, name, id = name, hint, error, rules, type = "text", ...rest } = props;
  return (
    <FieldFrame id={id} label={label} hint={hint} rules={rules} error={error}>
      <input {...rest} {...described(id, { hint, rules, error })} className="input" id={id} name={name} type={type} />
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldProps & { defaultValue?: string; rows?: number };

export function TextAreaField({ label, name, id = name, hint, error, rows = 4, ...rest }: TextAreaFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea {...rest} {...described(id, { hint, error })} className="input" id={id} name={name} rows={rows} />
    </FieldFrame>
  );
}

type EmailFieldProps = Pick<TextFieldProps, "label" | "hint" | "error" | "defaultValue" | "autoComplete" | "autoFocus">;

export function EmailField(props: EmailFieldProps) {
  return (
    <Field
      name="email"
      type="email"
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...props}
    />
  );
}

type CheckFieldProps = FieldProps & { value?: string; defaultChecked?: boolean; required?: boolean };

export function CheckField(props: CheckFieldProps) {
  const { label, name, id = name, hint, error, value = "on", ...rest } = props;
  return (
    <div className="check">
      <label className="check-label">
        <input {...rest} {...described(id, { hint, error })} type="checkbox" id={id} name={name} value={value} />
        <span>{label}</span>
      </label>
      <FieldHint id={id} hint={hint} />
      <FieldError id={id} error={error} />
    </div>
  );
}

type RadioOption = { value: string; title: ReactNode; detail?: ReactNode; aside?: ReactNode };
type RadioCardsProps = {
  legend: ReactNode;
  name: string;
  options: readonly RadioOption[];
  defaultValue?: string;
  error?: string;
  required?: boolean;
};

export function RadioCards({ legend, name, options, defaultValue, error, required }: RadioCardsProps) {
  const partId = usePartIds(name);
  return (
    <fieldset className="radios" aria-describedby={error ? `${name}-error` : undefined}>
      <legend>{legend}</legend>
      <div className="radios-list">
        {options.map((option, index) => (
          <label className="radio" key={option.value}>
            <input
              type="radio"
              id={partId(index)}
              name={name}
              value={option.value}
              required={required}
              defaultChecked={option.value === defaultValue}
              aria-invalid={error ? true : undefined}
            />
            <span className="radio-text">
              <span className="radio-title">{option.title}</span>
              {option.detail && <span className="radio-detail">{option.detail}</span>}
            </span>
            {option.aside && <span className="radio-aside">{option.aside}</span>}
          </label>
        ))}
      </div>
      <FieldError id={name} error={error} />
    </fieldset>
  );
}
