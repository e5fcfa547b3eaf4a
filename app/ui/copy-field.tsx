import { type FocusEvent, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";
import { useHydrated } from "./use-hydrated.ts";

type CopyFieldProps = {
  label: string;
  value: string;
  words: { copy: string; copied: string };
  /** To be read out or typed off: it takes as many lines as it needs, in letters that can be told from each other. */
  isCode?: boolean;
};

/** How long the button says that it copied. */
const copiedMs = 2500;

export function CopyField({ label, value, words, isCode = false }: CopyFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState(false);
  const canCopy = useHydrated() && typeof navigator.clipboard?.writeText === "function";

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), copiedMs);
    } catch {
      // Refused by the browser: the text is marked, ready for the keyboard's own copy.
      input.current?.select();
    }
  }

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="copy">
        {isCode ? (
          <textarea
            className="input copy-code"
            ref={input}
            id={id}
            value={value}
            rows={2}
            readOnly
            onFocus={selectAll}
          />
        ) : (
          <input className="input" ref={input} id={id} value={value} readOnly onFocus={selectAll} />
        )}
        {canCopy && (
          <Button type="button" onClick={copy}>
            <Icon name={copied ? "check" : "copy"} />
            {copied ? words.copied : words.copy}
          </Button>
        )}
      </div>
      <span className="visually-hidden" role="status">
        {copied && words.copied}
      </span>
    </div>
  );
}

function selectAll(event: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  event.currentTarget.select();
}
