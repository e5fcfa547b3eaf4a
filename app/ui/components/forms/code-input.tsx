import { type FormEvent, useRef } from "react";
import { described, FieldFrame, type FieldProps } from "./field-frame.tsx";

type CodeInputProps = FieldProps & { defaultValue?: string; length?: number; autoFocus?: boolean };

/**
 * One real input: paste, autofill and screen readers see a plain field. The boxes behind it are decorative. With scripts, the last digit
 * submits the form, but never the same digits twice. A code that the server filled in waits for the button.
 */
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
  const lastSent = useRef<string | null>(null);
  const submitComplete = (event: FormEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    keepDigits(input, length);
    if (input.value.length < length || input.value === lastSent.current) return;
    lastSent.current = input.value;
    input.form?.requestSubmit();
  };
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
          onInput={submitComplete}
        />
      </span>
    </FieldFrame>
  );
}

function keepDigits(input: HTMLInputElement, length: number): void {
  const digits = input.value.replaceAll(/\D/g, "").slice(0, length);
  if (digits !== input.value) input.value = digits;
}
