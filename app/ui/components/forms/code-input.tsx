import type { FormEvent } from "react";
import { described, FieldFrame, type FieldProps } from "./field-frame.tsx";

type CodeInputProps = FieldProps & { defaultValue?: string; length?: number; autoFocus?: boolean };

/** One real input: paste, autofill and screen readers see a plain field. The boxes behind it are decorative. */
export function CodeInput({
  label,
  name,
  id = name,
  hint,
  error,
  defaultValue,
  length = 8,
  autoFocus,
}: CodeInputProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <span className="code">
        <span className="code-boxes" aria-hidden="true">
          {Array.from({ length }, (_, index) => (
            <span className={index * 2 === length ? "code-box code-box-second" : "code-box"} key={index} />
          ))}
        </span>
        <input
          {...described(id, { hint, error })}
          className="code-digits"
          id={id}
          name={name}
          defaultValue={defaultValue}
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          inputMode="numeric"
          pattern="[0-9 \-]*"
          // Allows for the spaces and the dash in a pasted code.
          maxLength={length + 3}
          spellCheck={false}
          required
          onInput={(event) => keepDigits(event, length)}
        />
      </span>
    </FieldFrame>
  );
}

function keepDigits(event: FormEvent<HTMLInputElement>, length: number): void {
  const input = event.currentTarget;
  const digits = input.value.replaceAll(/\D/g, "").slice(0, length);
  if (digits !== input.value) input.value = digits;
}
