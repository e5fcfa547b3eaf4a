import { type FormEvent, type ReactNode, useRef } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/components/button.tsx";
import { useHydrated } from "#app/ui/hooks/use-hydrated.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { knowsPasskeys, type PasskeyOffer } from "./passkey-ceremony.ts";
import { usePasskey } from "./use-passkey.ts";
import { PasskeyProblemNotice } from "./passkey-problem.tsx";

type PasskeyFormProps = {
  /** Where it is posted to, if that isn't where the page stands. */
  action?: string;
  intent: "passkey" | "add-passkey";
  ceremony: "sign-in" | "fresh-proof" | "add";
  offer: PasskeyOffer | null;
  label: ReactNode;
  pendingLabel: string;
  kind?: "primary" | "quiet";
  wide?: boolean;
  autofill?: boolean;
  /** Further fields of the form. */
  children?: ReactNode;
  /** Stands below the form, wherever that stands. */
  below?: ReactNode;
  /** In its place in a browser that knows no passkeys. */
  instead?: ReactNode;
};

/**
 * A button that uses a passkey. It stands in the page from the first byte, so that nothing moves when the scripts arrive; without any it
 * is hidden by CSS, and pressed before they run it posts the form, whose answer says that scripts are needed.
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
      <Form method="post" action={action} className="stack needs-script" ref={form} onSubmit={press}>
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
