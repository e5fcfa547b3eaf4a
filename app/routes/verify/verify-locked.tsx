import { Form } from "react-router";
import { refusalMessages } from "#app/http/forms/form-refusal.messages.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Countdown } from "#app/ui/components/data/countdown.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { useRevalidateAt } from "#app/ui/hooks/use-polling.ts";
import { verifyMessages } from "./messages.ts";
import { PasskeyWay } from "./verify-form.tsx";
import { isAboutCode, ProofRefused, type Refusal } from "./verify-refusal.tsx";
import type { Page } from "./page-data.ts";

type Shut = NonNullable<Page["shut"]>;

/** No code for this address is accepted here for a while: since when, until when, and the alternatives meanwhile. */
export function LockedForm({ page, shut, refusal }: { page: Page; shut: Shut; refusal: Refusal | undefined }) {
  const { title, shut: messages, change, support } = useMessages(verifyMessages);
  const { wait } = useMessages(refusalMessages);
  const isSaid = refusal !== undefined && isAboutCode(refusal);
  useRevalidateAt(shut.retryAt, page.now);
  return (
    <FormPage
      title={title[page.purpose]}
      aside={
        <p className="quiet">
          <a href={`mailto:${page.support}`}>{support}</a>
        </p>
      }
    >
      {!isSaid && <ProofRefused refusal={refusal} />}
      {/* Not a live region: its text changes every minute. */}
      <Notice kind="attention" title={messages.title(page.address)} isRefusal={isSaid}>
        <p>{messages[shut.reason]}</p>
        <p>
          <Countdown
            until={shut.retryAt}
            now={page.now}
            label={(seconds) => messages.until(wait(seconds))}
            done={messages.over}
          />
        </p>
      </Notice>
      <PasskeyWay page={page} isAlone />
      {page.purpose !== "reauthentication" && (
        <Form method="post">
          <Button name="intent" value="change-address" wide>
            {page.purpose === "sign-in" ? messages.otherWays : change}
          </Button>
        </Form>
      )}
    </FormPage>
  );
}
