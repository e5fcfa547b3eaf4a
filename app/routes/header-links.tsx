import { Form, href, useLocation } from "react-router";
import { rootMessages } from "#app/root.messages.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";

/** The sign-in or sign-up link, whichever the page itself is not; and on the landing page the links to its parts. */
export function VisitorLinks() {
  const messages = useMessages(rootMessages);
  const { pathname } = useLocation();
  if (pathname === href("/login")) return <Link to={href("/signup")}>{messages.signUp}</Link>;
  return (
    <>
      {pathname === href("/") && (
        <>
          <Link to={`${href("/")}#plans`}>{messages.footer.plans}</Link>
          <Link to={`${href("/")}#questions`}>{messages.footer.questions}</Link>
        </>
      )}
      <Link to={href("/login")}>{messages.signIn}</Link>
    </>
  );
}

/** Of the header, when signed in. */
export function SignedInLinks() {
  const messages = useMessages(rootMessages);
  return (
    <>
      <Link to={href("/settings")}>{messages.account}</Link>
      <Form method="post" action={href("/logout")}>
        <Button kind="plain">{messages.signOut}</Button>
      </Form>
    </>
  );
}
