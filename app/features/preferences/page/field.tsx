import type { PreferenceValue } from "#app/features/preferences/preferences.rules.ts";
import type { Preference } from "../preferences.rules.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { CheckField } from "#app/ui/components/forms/field.tsx";
import { NumberField } from "#app/ui/components/forms/number-field.tsx";
import { SelectField } from "#app/ui/components/forms/select-field.tsx";
import { preferencesMessages } from "./messages.ts";
import { numberFormat } from "#app/core/text/formats.ts";

type FieldProps = {
  preference: Preference;
  value: PreferenceValue | undefined;
  /** Shown before the hint: the stored value, if the user chose another one without having seen it. */
  notice: string | undefined;
  error: string | undefined;
  locale: string;
};

export function PreferenceField({ preference, value, notice, error, locale }: FieldProps) {
  const { range } = useMessages(preferencesMessages);
  const { key: name, label } = preference;
  const allowed = preference.kind === "number" ? range(...sayRange(preference, locale)) : "";
  const explained = [preference.hint?.replace(/[^.]$/, "$&."), allowed].filter(Boolean).join(" ") || undefined;
  const hint = notice ? (
    <>
      <strong>{notice}</strong> {explained}
    </>
  ) : (
    explained
  );
  switch (preference.kind) {
    case "choice":
      return (
        <SelectField {...{ name, label, hint, error }} defaultValue={String(value)} options={[...preference.options]} />
      );
    case "number":
      return (
        <NumberField
          {...{ name, label, hint, error }}
          defaultValue={String(value)}
          min={preference.min}
          max={preference.max}
        />
      );
    case "switch":
      // Not a switch, since it takes effect only when the form is saved.
      return <CheckField {...{ name, label, hint, error }} value="on" defaultChecked={value === true} />;
  }
}

export function sayRange({ min, max }: { min: number; max: number }, locale: string): [string, string] {
  const { format } = numberFormat(locale);
  return [format(min), format(max)];
}

/** A value as its field shows it. */
export function sayPreference(
  { on, off }: Pick<(typeof preferencesMessages)["en"], "on" | "off">,
  preference: Preference,
  value: PreferenceValue | undefined,
  locale: string,
): string {
  switch (preference.kind) {
    case "choice":
      return preference.options.find((option) => option.value === value)?.label ?? String(value);
    case "number":
      return numberFormat(locale).format(Number(value));
    case "switch":
      return value === true ? on : off;
  }
}
