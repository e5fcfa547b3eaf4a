import { type FormEvent, type ReactNode, useRef } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { knowsPasskeys, type PasskeyOffer } from "./ask-for-passkey.ts";
import { usePasskey } from "./use-passkey.ts";
import { PasskeyProblemNotice } from "./passkey-problem.tsx";

type PasskeyFormProps = {
  /** The form's action URL, when it isn't the page's own. */
  action?: string;
  intent: "passkey" | "add-passkey";
  ceremony: "sign-in" | "reauthentication" | "add";
  offer: PasskeyOffer | null;
  label: ReactNode;
  pendingLabel: string;
  kind?: "primary" | "quiet";
  wide?: boolean;
  autofill?: boolean;
  /** Labels on the left of its fields, where there is room. */
  rows?: boolean;
  /** Further fields of the form. */
  children?: ReactNode;
  below?: ReactNode;
  /** Rendered instead in a browser without passkeys. */
  instead?: ReactNode;
};

/**
 * A button that uses a passkey. The server renders it, so that nothing shifts when the scripts load. Without scripts CSS hides it. Pressed
 * before they run, it posts the form, whose response says that scripts are needed.
 */
export function PasskeyForm(props: PasskeyFormProps) {
  const { action, intent, ceremony, offer, autofill = false, kind, wide = false, label, pendingLabel } = props;
  const form = useRef<HTMLFormElement>(null);
  const isSending = usePending("intent", intent);
  const { ask, isAsking, problem } = usePasskey({ form, action, intent, ceremony, offer, autofill });
  const isKnown = !useHydrated() || knowsPasskeys();
  if (!isKnown) return props.instead;
  const press = (event: FormEvent) => {
    event.preventDefault();
    void ask();
  };
  return (
    <>
      <Form
        method="post"
        action={action}
        className={props.rows ? "stack form-rows needs-script" : "stack needs-script"}
        ref={form}
        onSubmit={press}
      >
        {problem && <PasskeyProblemNotice problem={problem} />}
        {props.children}
        <Button
          kind={kind}
          wide={wide}
          name="intent"
          value={intent}
          pending={isAsking || isSending}
          pendingLabel={pendingLabel}
        >
          {label}
        </Button>
      </Form>
      {props.below}
    </>
  );
}
