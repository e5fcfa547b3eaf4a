import { Form, href } from "react-router";
import type { sayElsewhere } from "./say-request.ts";
import type { ShownRequest } from "./show-request.server.ts";
import { useRefusedFields } from "#app/http/forms/form-refusal.tsx";
import { Button, LinkButton } from "#app/ui/components/forms/button.tsx";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { signUpFieldsMessages } from "#app/routes/signup/messages.ts";
import { TermsField } from "#app/routes/signup/terms-field.tsx";
import { type VerifyTexts, verifyMessages } from "./messages.ts";
import { ProofRefused, type Refusal } from "./verify-refusal.tsx";

type Page = ReturnType<typeof sayElsewhere> & {
  filledIn: string | null;
  /** The browser sent no cookie and came without the email's link, so the one that asked for the code probably refused or lost ours. */
  isCookieless: boolean;
};

export function titleElsewhere({ elsewhere, noCookie }: VerifyTexts, { over, isCookieless }: Page): string {
  return over?.title ?? (isCookieless ? noCookie.title : elsewhere.title);
}

/** The email's link was opened in another browser than the one that requested it: a phone's mail app, for example. */
export function Elsewhere({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const messages = useMessages(verifyMessages);
  const { elsewhere, noCookie } = messages;
  const code = page.over ? null : page.filledIn;
  const isCookieless = page.isCookieless && !page.over;
  const leadHere = isCookieless ? noCookie.lead : code ? elsewhere.lead : elsewhere.leadWithoutCode;
  return (
    <FormPage
      title={titleElsewhere(messages, page)}
      lead={page.over?.lead ?? leadHere}
      picture={<StatusIllustration state={page.over || isCookieless ? "shut" : "letter"} />}
    >
      {code && <p className="code-shown">{`${code.slice(0, 4)} ${code.slice(4)}`}</p>}
      <ProofRefused refusal={refusal} />
      {isCookieless && <p>{noCookie.elsewhere}</p>}
      {page.instead ? (
        <ContinueHere page={page} refusal={refusal} />
      ) : isCookieless ? (
        <LinkButton wide to={href("/login")}>
          {noCookie.again}
        </LinkButton>
      ) : (
        !page.over && <p>{elsewhere.stays}</p>
      )}
    </FormPage>
  );
}

/** Shown when the browser that requested the code opens the email's link again or goes back to a finished page. */
export function Used({ page }: { page: Extract<ShownRequest, { kind: "used" }> }) {
  const { used } = useMessages(verifyMessages);
  return (
    <FormPage
      title={used.title}
      lead={page.isSignedIn ? used.lead : used.leadSignedOut}
      picture={<StatusIllustration state={page.isSignedIn ? "open" : "shut"} />}
    >
      <LinkButton kind="primary" wide to={href(page.isSignedIn ? "/settings" : "/login")}>
        {page.isSignedIn ? used.account : used.signIn}
      </LinkButton>
    </FormPage>
  );
}

function ContinueHere({ page, refusal }: { page: Page; refusal: Refusal | undefined }) {
  const { elsewhere } = useMessages(verifyMessages);
  const { problemOf } = useRefusedFields(refusal, useMessages(signUpFieldsMessages).problems);
  if (page.instead === "sign-up" && page.over?.reason === "code-used") {
    return (
      <>
        <p>{elsewhere.signedUp.or}</p>
        <LinkButton wide to={href("/login")}>
          {elsewhere.signedUp.button}
        </LinkButton>
      </>
    );
  }
  const { instead } = page;
  return (
    <>
      <p>{elsewhere.instead[instead ?? "sign-in"]}</p>
      <Form method="post" className="stack" noValidate>
        {instead === "sign-up" && <TermsField error={problemOf("terms")} />}
        <Button name="intent" value="continue-here" wide>
          {elsewhere.continueHere(page.maskedAddress)}
        </Button>
      </Form>
    </>
  );
}
