import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { suggestionMessages } from "./suggestion-notice.messages.ts";
import type { SuggestionRefusal } from "./refuse-mistyped-domain.ts";

type SuggestionNoticeProps = SuggestionRefusal & {
  /** The label of the form's own button, which sends the address as it was typed. */
  button: string;
};

/** Above the form: the address that was probably meant. One click sends the same form with it; the form below keeps what was typed. */
export function SuggestionNotice({ suggestion, typed, button }: SuggestionNoticeProps) {
  const messages = useMessages(suggestionMessages)["domain-mistyped"];
  const pending = usePending("email", suggestion);
  const { email = "", ...others } = typed;
  return (
    <Notice kind="info" live isRefusal title={messages.title(suggestion)}>
      <p>{messages.text(email, button)}</p>
      <Form method="post">
        {Object.entries(others).map(([name, value]) => (
          <input type="hidden" name={name} value={value} key={name} />
        ))}
        <Button name="email" value={suggestion} pending={pending} pendingLabel={messages.pending}>
          {messages.use(suggestion)}
        </Button>
      </Form>
    </Notice>
  );
}
