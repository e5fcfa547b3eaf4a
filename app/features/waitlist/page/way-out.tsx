import { Form } from "react-router";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Dialog } from "#app/ui/components/layout/dialog.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { waitlistEntryMessages } from "./entry.messages.ts";

/** Emails the link again, or leaves after a confirmation, since a position that is given up can't be restored. */
export function WayOut() {
  const messages = useMessages(waitlistEntryMessages);
  const { leave } = messages;
  const resending = usePending("intent", "resend");
  const leaving = usePending("intent", "leave");
  return (
    <>
      <p>{messages.keep}</p>
      <div className="row">
        <Form method="post">
          <Button name="intent" value="resend" pending={resending} pendingLabel={messages.resendPending}>
            {messages.resend}
          </Button>
        </Form>
        <Dialog
          id="leave"
          title={leave.title}
          openLabel={leave.open}
          openKind="plain"
          messages={{ close: leave.close }}
          action={
            <Form method="post">
              <Button kind="danger" name="intent" value="leave" pending={leaving} pendingLabel={leave.pending}>
                {leave.button}
              </Button>
            </Form>
          }
        >
          <p>{leave.text}</p>
        </Dialog>
      </div>
    </>
  );
}
