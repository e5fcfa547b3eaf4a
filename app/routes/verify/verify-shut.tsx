import { Form } from "react-router";
import { refusalWords } from "#app/http/form-refusal.messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Countdown } from "#app/ui/components/countdown.tsx";
import { useWords } from "#app/ui/hooks/use-words.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { FormPage } from "#app/ui/components/page-shell.tsx";
import { useLookAgainAt } from "#app/ui/hooks/use-look-again.ts";
import { verifyWords } from "./messages.ts";
import { PasskeyWay } from "./verify-form.tsx";
import { isAboutCode, Refused, type Refusal } from "./verify-refusal.tsx";
import type { Page } from "./page-data.ts";

type Shut = NonNullable<Page["shut"]>;

/** No code of this address works here for a while: since when, until when, and the ways that are open meanwhile. */
export function ShutForm({ page, shut, refusal }: { page: Page; shut: Shut; refusal: Refusal | undefined }) {
  const { title, shut: words, change, support } = useWords(verifyWords);
  const { wait } = useWords(refusalWords);
  const isSaid = refusal !== undefined && isAboutCode(refusal);
  useLookAgainAt(shut.retryAt, page.now);
  return (
    <FormPage
      title={title[page.purpose]}
      aside={
        <p className="quiet">
          <a href={`mailto:${page.support}`}>{support}</a>
        </p>
      }
    >
      {!isSaid && <Refused refusal={refusal} />}
      {/* Not live: what it says changes with every minute. */}
      <Notice kind="attention" title={words.title(page.address)} isRefusal={isSaid}>
        <p>{words[shut.reason]}</p>
        <p>
          <Countdown
            until={shut.retryAt}
            now={page.now}
            words={(seconds) => words.until(wait(seconds))}
            done={words.over}
          />
        </p>
      </Notice>
      <PasskeyWay page={page} isAlone />
      {page.purpose !== "fresh-proof" && (
        <Form method="post">
          <Button name="intent" value="change-address" wide>
            {page.purpose === "sign-in" ? words.otherWays : change}
          </Button>
        </Form>
      )}
    </FormPage>
  );
}
