import { type ReactNode, useId, useRef } from "react";
import { Icon } from "./icons.tsx";
import { useHydrated } from "./use-hydrated.ts";

type DialogProps = {
  id: string;
  title: ReactNode;
  openLabel: ReactNode;
  openKind?: "primary" | "quiet" | "danger" | "plain";
  words: { close: string };
  children: ReactNode;
};

/**
 * Without a script the opener is a link to the dialog and CSS shows what the address points at; with one, a button that
 * opens it as the browser's own modal.
 */
export function Dialog({ id, title, openLabel, openKind = "quiet", words, children }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => {
    dialog.current?.close();
    leaveTarget(id);
  };
  return (
    <>
      <Switch className={`button button-${openKind}`} href={`#${id}`} onPress={() => dialog.current?.showModal()}>
        <span className="button-label">{openLabel}</span>
      </Switch>
      <dialog className="dialog" id={id} ref={dialog} aria-labelledby={titleId} onClose={() => leaveTarget(id)}>
        <div className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <Switch className="dialog-close" href="#main" onPress={close}>
            <Icon name="cross" label={words.close} />
          </Switch>
        </div>
        <div className="dialog-body">{children}</div>
      </dialog>
    </>
  );
}

type SwitchProps = { className: string; href: string; onPress: () => void; children: ReactNode };

/** A link as long as there is no script, a button from then on. */
function Switch({ className, href, onPress, children }: SwitchProps) {
  if (!useHydrated()) {
    return (
      <a className={className} href={href}>
        {children}
      </a>
    );
  }
  return (
    <button type="button" className={className} onClick={onPress}>
      {children}
    </button>
  );
}

/** A page that was opened without a script, and came alive later, may still point at the dialog. */
function leaveTarget(id: string): void {
  if (location.hash === `#${id}`) location.hash = "main";
}
