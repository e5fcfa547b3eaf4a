import { Form, useFormAction } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { suggestionMessages } from "./suggestion-notice.messages.ts";
import { keepDomainParameter, type SuggestionRefusal } from "./refuse-mistyped-domain.ts";

/** Above the form: the address that was probably meant. Either button sends the same form, with that address or with the typed one. */
export function SuggestionNotice({ suggestion, typed }: SuggestionRefusal) {
  const messages = useMessages(suggestionMessages)["domain-mistyped"];
  const isUsing = usePending("email", suggestion);
  const { email = "", ...others } = typed;
  const isKeeping = usePending("email", email);
  const action = useFormAction();
  return (
    <Notice kind="info" live isRefusal title={messages.title(suggestion)}>
      <p>{messages.text(email)}</p>
      <Form method="post" className="row">
        {Object.entries(others).map(([name, value]) => (
          <input type="hidden" name={name} value={value} key={name} />
        ))}
        <Button kind="primary" name="email" value={suggestion} pending={isUsing} pendingLabel={messages.pending}>
          {messages.use(suggestion)}
        </Button>
        <Button
          name="email"
          value={email}
          formAction={`${action}${action.includes("?") ? "&" : "?"}${keepDomainParameter}`}
          pending={isKeeping}
          pendingLabel={messages.pending}
        >
          {messages.keep(email)}
        </Button>
      </Form>
    </Notice>
  );
}
