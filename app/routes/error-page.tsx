import { type ReactNode, use } from "react";
import { Form, isRouteErrorResponse, useLocation, useRouteLoaderData, href } from "react-router";
import { SiteContext } from "#app/http/page/site-context.ts";
import { withSiteName } from "#app/http/page/page-title.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { Arch, IllustrationFrame, MissingArch } from "#app/ui/components/feedback/arch.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { ReferenceContext } from "#app/ui/hooks/reference.ts";
import { PageDiagnostics } from "#app/client/page-diagnostics.ts";
import { referenceIdOf } from "#app/client/early-errors.ts";
import type { Route } from "../+types/root";
import { rootMessages } from "#app/root.messages.ts";

const signOutPath = href("/logout");

type ErrorPageProps = {
  error: unknown;
  /** The page component that frames the error, such as `FormPage`. */
  Page: (props: { title: string; lead: string; children: ReactNode; picture?: ReactNode }) => ReactNode;
};

/** Shows why a page failed. A response with a status has its own text; anything else is a bug of ours. */
export function ErrorPage({ error, Page }: ErrorPageProps) {
  const messages = useMessages(rootMessages);
  const page = useRouteLoaderData<Route.ComponentProps["loaderData"]>("root");
  const site = use(SiteContext);
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { pathname } = useLocation();
  const isSignOut = status >= 500 && pathname === signOutPath;
  const text = isSignOut
    ? messages.stillSignedIn
    : status === 404
      ? messages.missing
      : status === 409
        ? messages.closedAccount
        : status < 500
          ? messages.refused
          : messages.broken;
  const isKnown = page?.isSignedIn || status === 409;
  return (
    <>
      <PageDiagnostics page={page} isMissing={status === 404} />
      <title>{withSiteName(text.title, (page ?? site)?.brand.name)}</title>
      <meta name="robots" content="noindex" />
      <Page
        title={text.title}
        lead={text.text}
        picture={
          <IllustrationFrame state={status === 404 ? "missing" : "shut"}>
            {status === 404 ? <MissingArch /> : <Arch door="shut" />}
          </IllustrationFrame>
        }
      >
        {status >= 500 ? (
          <WhatToDo error={error} support={(page ?? site)?.support} isSignOut={isSignOut} />
        ) : (
          <p>
            <Link to={isKnown ? href("/settings") : href("/")}>
              {isKnown ? messages.missing.account : messages.missing.home}
            </Link>
          </p>
        )}
      </Page>
    </>
  );
}

type ToDo = { error: unknown; support: string | undefined; isSignOut: boolean };

function WhatToDo({ error, support, isSignOut }: ToDo) {
  const { broken: messages, stillSignedIn, footer } = useMessages(rootMessages);
  const { pathname } = useLocation();
  // On the server it's the request's id, in the browser the error's own. Each is the one that was reported.
  const reference = use(ReferenceContext) ?? referenceIdOf(error);
  return (
    <>
      <p suppressHydrationWarning>{reference && messages.reference(reference)}</p>
      {isSignOut ? (
        <Form method="post" action={signOutPath} reloadDocument>
          <Button kind="primary">{stillSignedIn.again}</Button>
        </Form>
      ) : (
        <p>
          <a href={pathname}>{messages.again}</a>
        </p>
      )}
      {support && (
        <p className="quiet">
          <a href={`mailto:${support}`}>{footer.support}</a>
        </p>
      )}
    </>
  );
}
