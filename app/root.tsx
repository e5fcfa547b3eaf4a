import { use } from "react";
import {
  data,
  Form,
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
} from "react-router";
import { appContext, viewerContext } from "#app/context.ts";
import { endedCookie, readCookie } from "#app/request/cookies.ts";
import { loadViewer } from "#app/middleware/load-viewer.ts";
import { Button } from "#app/ui/button.tsx";
import { Flash } from "#app/ui/flash.tsx";
import { fontUrl } from "#app/ui/font.ts";
import { SiteFooter } from "#app/ui/footer.tsx";
import { LanguageContext, useWords } from "#app/ui/language.ts";
import { NavigationProgress } from "#app/ui/navigation-progress.tsx";
import { FormPage, PageShell } from "#app/ui/page-shell.tsx";
import { ReferenceContext } from "#app/ui/reference.ts";
import "#app/ui/styles/app.css";
import type { Route } from "./+types/root";
import { referenceIdOf } from "./early-errors.ts";
import { isFlashWord, rootWords } from "./root.words.ts";
import { useDiagnostics } from "./use-diagnostics.ts";

export const middleware: Route.MiddlewareFunction[] = [loadViewer];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const { product } = app;
  const flash = readCookie(request, "flash");
  const theme = readCookie(request, "theme");
  const page = {
    brand: { name: product.name },
    isSignedIn: viewer !== null,
    hasWaitlist: app.gate.kind !== "none",
    seller: product.seller.name,
    support: product.support,
    statusUrl: product.statusUrl,
    year: new Date(app.clock()).getUTCFullYear(),
    theme: theme === "light" || theme === "dark" ? theme : null,
    flash: isFlashWord(flash) ? flash : null,
    diagnostics: app.diagnostics,
  };
  return flash ? data(page, { headers: { "Set-Cookie": endedCookie("flash") } }) : page;
}

export function Layout({ children }: { children: React.ReactNode }) {
  const page = useRouteLoaderData<typeof loader>("root");
  return (
    <html lang="en" data-theme={page?.theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={page?.theme ?? "light dark"} />
        <Meta />
        <Links nonce="" />
      </head>
      <body>
        <LanguageContext value="en">{children}</LanguageContext>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useDiagnostics(loaderData, false);
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}

/** What went wrong on the way to a page: an answer with a status is said in words, everything else is a bug of ours. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const words = useWords(rootWords);
  const page = useRouteLoaderData<typeof loader>("root");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  useDiagnostics(page, status === 404);
  if (status >= 500) return <BrokenPage error={error} />;
  const text = status === 404 ? words.missing : status === 409 ? words.leaving : words.refused;
  return (
    <SiteFrame>
      <title>{text.title}</title>
      <meta name="robots" content="noindex" />
      <FormPage title={text.title} lead={text.text}>
        <p>
          {page?.isSignedIn || status === 409 ? (
            <Link to="/settings">{words.missing.account}</Link>
          ) : (
            <Link to="/">{words.missing.home}</Link>
          )}
        </p>
      </FormPage>
    </SiteFrame>
  );
}

function BrokenPage({ error }: { error: unknown }) {
  const words = useWords(rootWords);
  const { pathname } = useLocation();
  // On the server the request's id, in the browser the error's own: each is the one in the report.
  const reference = use(ReferenceContext) ?? referenceIdOf(error);
  return (
    <SiteFrame>
      <title>{words.broken.title}</title>
      <FormPage title={words.broken.title} lead={words.broken.text}>
        <p suppressHydrationWarning>{reference && words.broken.reference(reference)}</p>
        <p>
          <a href={pathname}>{words.broken.again}</a>
        </p>
      </FormPage>
    </SiteFrame>
  );
}

function SiteFrame({ children }: { children: React.ReactNode }) {
  const words = useWords(rootWords);
  const page = useRouteLoaderData<typeof loader>("root");
  return (
    <PageShell
      brand={page?.brand ?? { name: "" }}
      skipWords={words.skip}
      nav={page?.isSignedIn ? <SignedInLinks /> : <VisitorLink />}
      footer={page ? <Footer page={page} /> : null}
    >
      <NavigationProgress label={words.loading} />
      {page?.flash && <Flash arrival={page}>{words.flash[page.flash]}</Flash>}
      {children}
    </PageShell>
  );
}

/** The other way in than the one that the page itself is. */
function VisitorLink() {
  const words = useWords(rootWords);
  const isLogIn = useLocation().pathname === "/login";
  return isLogIn ? <Link to="/signup">{words.signUp}</Link> : <Link to="/login">{words.signIn}</Link>;
}

function SignedInLinks() {
  const words = useWords(rootWords);
  return (
    <>
      <Link to="/settings">{words.account}</Link>
      <Form method="post" action="/logout">
        <Button kind="plain">{words.signOut}</Button>
      </Form>
    </>
  );
}

function Footer({ page }: { page: Route.ComponentProps["loaderData"] }) {
  const { footer } = useWords(rootWords);
  const groups = [
    {
      label: footer.product,
      links: [
        { to: "/#plans", label: footer.plans },
        { to: "/#questions", label: footer.questions },
        ...(page.hasWaitlist ? [{ to: "/waitlist", label: footer.waitlist }] : []),
        { to: "/settings", label: footer.account },
      ],
    },
    {
      label: footer.legal,
      links: [
        { to: "/legal/terms", label: footer.terms },
        { to: "/legal/privacy", label: footer.privacy },
        { to: "/legal/imprint", label: footer.imprint },
      ],
    },
    {
      label: footer.help,
      links: [
        { to: `mailto:${page.support}`, label: footer.support },
        { to: page.statusUrl, label: footer.status },
      ],
    },
  ];
  return <SiteFooter groups={groups} note={footer.note(page.seller, page.year)} />;
}
