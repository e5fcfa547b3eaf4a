import { type SyntheticEvent, useEffect, useEffectEvent, useRef } from "react";
import { normaliseDigits } from "#app/core/text/digits.ts";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { described, FieldFrame, type FieldProps } from "./field-frame.tsx";

type CodeInputProps = FieldProps & { defaultValue?: string; length?: number; autoFocus?: boolean };

/**
 * One real input: paste, autofill and screen readers see a plain field. The boxes behind it are decorative. With scripts, the last digit
 * submits the form, but never the same digits twice. A code that the server filled in waits for the button, and so does one that the browser
 * filled in again after a reload.
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
  const field = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const submitTyped = ({ currentTarget, nativeEvent }: SyntheticEvent<HTMLInputElement>) => {
    // An input method shows what it composes in the field, and would lose it.
    if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) return;
    submitComplete(currentTarget);
  };
  const submitComplete = (input: HTMLInputElement) => {
    keepDigits(input, length);
    if (input.value.length < length || input.value === lastSent.current) return;
    lastSent.current = input.value;
    input.form?.requestSubmit();
  };
  const submitEarly = useEffectEvent(() => {
    const input = field.current;
    if (input && input.value !== input.defaultValue && !isReloaded()) submitComplete(input);
  });
  useEffect(() => {
    // A code that was typed or pasted before the script ran.
    if (isHydrated) submitEarly();
  }, [isHydrated]);
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
          ref={field}
          className="code-digits"
          id={id}
          name={name}
          defaultValue={defaultValue}
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          required
          onInput={submitTyped}
          onCompositionEnd={submitTyped}
        />
      </span>
    </FieldFrame>
  );
}

/** Also after going back to the page. */
function isReloaded(): boolean {
  const [load] = performance.getEntriesByType("navigation");
  return load instanceof PerformanceNavigationTiming && load.type !== "navigate";
}

function keepDigits(input: HTMLInputElement, length: number): void {
  const digits = normaliseDigits(input.value).slice(0, length);
  if (digits !== input.value) input.value = digits;
}
