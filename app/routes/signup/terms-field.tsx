import { href } from "react-router";
import { CheckField } from "#app/ui/components/forms/field.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { signUpFieldsMessages } from "./messages.ts";

export function TermsField(props: { defaultChecked?: boolean; error: string | undefined }) {
  return <CheckField {...props} name="terms" required label={<TermsLabel />} />;
}

function TermsLabel() {
  const { terms } = useMessages(signUpFieldsMessages);
  return (
    <>
      {terms.before}
      <Link to={href("/legal/:page", { page: "terms" })}>{terms.link}</Link>
      {terms.middle}
      <Link to={href("/legal/:page", { page: "privacy" })}>{terms.privacy}</Link>
      {terms.after}
    </>
  );
}
