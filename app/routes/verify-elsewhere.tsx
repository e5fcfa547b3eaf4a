import { Form } from "react-router";
import type { ShownRequest } from "#app/domain/accounts/show-request.server.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { Button } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { FormPage } from "#app/ui/page-shell.tsx";
import { verifyWords } from "./verify.words.ts";
import { asFormRefusal, type Refusal } from "./verify-form.tsx";

type Page = Extract<ShownRequest, { kind: "elsewhere" }> & { filledIn: string | null };

/** The mail's link was opened in another browser than the one that asked: a phone's mail program, say. */
export function Elsewhere({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const { elsewhere, problems } = useWords(verifyWords);
  const grouped = page.filledIn && `${page.filledIn.slice(0, 4)} ${page.filledIn.slice(4)}`;
  return (
    <FormPage title={elsewhere.title} lead={grouped ? elsewhere.lead : elsewhere.leadWithoutCode}>
      {grouped && <p className="code-shown">{grouped}</p>}
      {refusal?.reason === "asked-elsewhere" ? (
        <Notice kind="problem" live>
          {problems["asked-elsewhere"]}
        </Notice>
      ) : (
        <FormRefusalNotice refusal={refusal && asFormRefusal(refusal)} problems={{}} />
      )}
      {page.mayContinueHere ? <ContinueHere page={page} /> : <p>{elsewhere.stays}</p>}
    </FormPage>
  );
}

function ContinueHere({ page }: { page: Page }) {
  const { elsewhere } = useWords(verifyWords);
  return (
    <>
      <p>{elsewhere.or}</p>
      <Form method="post">
        <Button name="intent" value="continue-here" wide>
          {elsewhere.button(page.maskedAddress)}
        </Button>
      </Form>
    </>
  );
}
