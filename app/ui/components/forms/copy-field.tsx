import { type FocusEvent, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";

type CopyFieldProps = {
  label: string;
  value: string;
  messages: { copy: string; copied: string };
  /** Meant to be read aloud or typed: uses a font with distinguishable characters. */
  isCode?: boolean;
};

/** How long the button shows that the text was copied. */
const copiedMs = 2500;

/** For browsers without automatic field sizing: longer texts get a second line. */
const oneLineMax = 32;

/** Shows the whole text, on as many lines as it needs. */
export function CopyField({ label, value, messages, isCode = false }: CopyFieldProps) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState(false);
  const canCopy = useHydrated() && typeof navigator.clipboard?.writeText === "function";

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), copiedMs);
    } catch {
      // The browser refused clipboard access: the text is selected, ready for the keyboard shortcut.
      input.current?.select();
    }
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="copy">
        <textarea
          className={isCode ? "input copy-code" : "input"}
          ref={input}
          id={id}
          value={value}
          rows={value.length > oneLineMax ? 2 : 1}
          readOnly
          onFocus={selectAll}
        />
        {/* Space is reserved until hydration; otherwise the field would grow a line when the button appears. */}
        <span className={canCopy ? "needs-script" : "needs-script copy-waits"}>
          <Button type="button" onClick={copy}>
            <Icon name={copied ? "check" : "copy"} />
            {copied ? messages.copied : messages.copy}
          </Button>
        </span>
      </div>
      <span className="visually-hidden" role="status">
        {copied && messages.copied}
      </span>
    </div>
  );
}

function selectAll(event: FocusEvent<HTMLTextAreaElement>): void {
  event.currentTarget.select();
}
