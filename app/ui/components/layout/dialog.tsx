import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { useNavigation } from "react-router";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";

type DialogProps = {
  id: string;
  title: ReactNode;
  openLabel: ReactNode;
  openKind?: "primary" | "quiet" | "danger" | "plain";
  /** The cancel button, which is focused first. */
  messages: { close: string };
  children: ReactNode;
  /** The form with the confirm button. */
  action: ReactNode;
};

/**
 * Without a script, the opener is a link to the dialog's fragment and CSS shows the :target; with one, a button opens it as a native
 * modal, and so does a URL with its fragment.
 */
export function Dialog({ id, title, openLabel, openKind = "quiet", messages, children, action }: DialogProps) {
  const titleId = useId();
  const openerId = `${id}-opener`;
  const dialog = useRef<HTMLDialogElement>(null);
  useOpenedByAddress(dialog);
  useClosedByAnswer(dialog);
  const close = () => {
    dialog.current?.close();
    resetTarget(id, openerId);
  };
  return (
    <>
      <Switch
        id={openerId}
        className={`button button-${openKind}`}
        href={`#${id}`}
        onPress={() => dialog.current?.showModal()}
      >
        <span className="button-label">{openLabel}</span>
      </Switch>
      <dialog
        className="dialog"
        id={id}
        ref={dialog}
        aria-labelledby={titleId}
        onClose={() => resetTarget(id, openerId)}
      >
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className="row">
          <Switch className="button button-quiet" href={`#${openerId}`} onPress={close}>
            <span className="button-label">{messages.close}</span>
          </Switch>
          {action}
        </div>
      </dialog>
    </>
  );
}

/** Also opens when the URL had its fragment before hydration; until then CSS shows it. */
function useOpenedByAddress(dialog: RefObject<HTMLDialogElement | null>): void {
  useEffect(() => {
    if (dialog.current && location.hash === `#${dialog.current.id}`) dialog.current.showModal();
  }, [dialog]);
}

/** The form's response is shown on the page, which can't be reached behind a modal. */
function useClosedByAnswer(dialog: RefObject<HTMLDialogElement | null>): void {
  const { state } = useNavigation();
  const isBusy = state !== "idle";
  useEffect(() => {
    const shown = dialog.current;
    if (!isBusy || !shown) return undefined;
    return () => shown.close();
  }, [dialog, isBusy]);
}

type SwitchProps = { id?: string; className: string; href: string; onPress: () => void; children: ReactNode };

/** A link without a script, a button after hydration. */
function Switch({ onPress, href, children, ...rest }: SwitchProps) {
  if (!useHydrated()) {
    return (
      <a {...rest} href={href}>
        {children}
      </a>
    );
  }
  return (
    <button {...rest} type="button" onClick={onPress}>
      {children}
    </button>
  );
}

/** CSS would keep showing it as long as the URL has its fragment. */
function resetTarget(id: string, openerId: string): void {
  if (location.hash === `#${id}`) location.hash = openerId;
}
