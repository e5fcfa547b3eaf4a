import { type MouseEvent, type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from "react";
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
 * Without a script, the opener is a link to the dialog's fragment and CSS shows the :target; with one, it is a button that opens it as a
 * native modal, and so does a URL with its fragment.
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

/** Closes the dialog when its form is answered: the answer is on the page, which can't be reached behind a modal. */
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

/**
 * A link without scripts, a button after hydration. It is the same element all the time, because a click is lost if the pressed element is
 * replaced before it is released. Browsers don't press a link by the space bar, so this does.
 */
function Switch({ onPress, href, children, ...rest }: SwitchProps) {
  const press = (event: SyntheticEvent) => {
    event.preventDefault();
    onPress();
  };
  return (
    <a
      {...rest}
      href={href}
      role={useHydrated() ? "button" : undefined}
      draggable={false}
      onClick={(event) => !isForNewTab(event) && press(event)}
      onKeyDown={(event) => event.key === " " && press(event)}
    >
      {children}
    </a>
  );
}

/** Then the browser opens the address in another tab or window, and the dialog there. */
function isForNewTab({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}

/** Replaces the dialog's fragment in the URL: CSS would keep showing the dialog as long as it is there. */
function resetTarget(id: string, openerId: string): void {
  if (location.hash === `#${id}`) location.hash = openerId;
}
