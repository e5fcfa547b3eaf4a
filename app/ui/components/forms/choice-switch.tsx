type ChoiceSwitchProps = {
  legend: string;
  name: string;
  options: readonly { value: string; title: string }[];
  defaultValue: string;
};

/** Two or three radio buttons as one switch, whose form is saved as soon as it changes. With a button to save, use `RadioCards`. */
export function ChoiceSwitch({ legend, name, options, defaultValue }: ChoiceSwitchProps) {
  return (
    <fieldset className="choice-switch">
      <legend>{legend}</legend>
      <div className="choice-switch-options">
        {options.map(({ value, title }) => (
          <label key={value}>
            <input type="radio" name={name} value={value} defaultChecked={value === defaultValue} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
