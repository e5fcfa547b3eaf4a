import { Form, href, useLocation } from "react-router";
import { rootMessages } from "#app/root.messages.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";

/** The visitor's header links: on /login to sign up, elsewhere to sign in, and on the landing page also to its sections. */
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
