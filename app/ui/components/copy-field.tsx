import { type FocusEvent, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { Icon } from "./icons.tsx";
import { useHydrated } from "../hooks/use-hydrated.ts";

type CopyFieldProps = {
  label: string;
  value: string;
  messages: { copy: string; copied: string };
  /** To be read out or typed off: in letters that can be told from each other. */
  isCode?: boolean;
};

/** How long the button says that it copied. */
const copiedMs = 2500;

/** Where a browser doesn't make room for the text by itself: longer than this it gets a second line. */
const oneLineMax = 32;

/** All of it is seen: it takes as many lines as it needs. */
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
      // Refused by the browser: the text is marked, ready for the keyboard's own copy.
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
        {/* Its room is kept until the page is alive: the field would grow a line when it comes. */}
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
