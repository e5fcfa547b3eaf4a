import { use } from "react";
import {
  data,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
  href,
  type MiddlewareFunction,
} from "react-router";
import { appContext, viewerContext, viewerUnknownContext } from "#app/http/request/contexts.ts";
import { thirdPartiesOn } from "#app/modules/catalogue/third-parties.rules.ts";
import { endedCookie, readCookie } from "./http/request/cookies.ts";
import { SiteContext } from "./http/page/site-context.ts";
import { loadDocument } from "./http/page/load-document.ts";
import { siteFacts } from "./http/page/site-facts.ts";
import { loadViewer } from "./http/session/load-viewer.ts";
import { Flash, useIsFlashPlaced } from "./ui/components/feedback/flash.tsx";
import { fontUrl } from "./ui/components/font.ts";
import { LineFooter, SiteFooter } from "./ui/components/layout/footer.tsx";
import { LanguageContext, useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "./ui/components/feedback/notice.tsx";
import { NavigationProgress } from "./ui/components/layout/navigation-progress.tsx";
import { PageAnnouncer } from "./ui/components/layout/page-announcer.tsx";
import { FormPage, PageShell } from "./ui/components/layout/page-shell.tsx";
import { useFocusOnFragment } from "./ui/hooks/use-focus-on-fragment.ts";
import "./ui/styles/app.css";
import type { Route } from "./+types/root";
import { PageDiagnostics } from "./client/page-diagnostics.ts";
import { ErrorPage } from "./routes/error-page.tsx";
import { SignedInLinks, VisitorLinks } from "./routes/header-links.tsx";
import { Logo } from "#app/product/logo.tsx";
import { viewerUnknownMessages } from "./http/page/viewer-unknown.messages.ts";
import { rootMessages } from "./root.messages.ts";
import { LeaveOldBuild } from "./client/leave-old-build.ts";
import { UnsentNotice } from "./client/unsent-notice.tsx";
import { routeName } from "#workers/monitoring/policy-reports/route-name.rules.ts";
import { features, gatePages } from "#app/features.ts";
import { type FlashName, flashMessages } from "#app/http/page/flash.messages.ts";

/** Notes which route answers, for reports and traces, since `handleError` isn't passed the route that failed. */
const noteRoute: MiddlewareFunction<Response> = ({ context, pattern }) => {
  context.get(appContext).route.pattern = routeName(pattern);
};

export const middleware: Route.MiddlewareFunction[] = [noteRoute, loadDocument, loadViewer];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: fontUrl, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const flash = readCookie(request, "flash");
  const viewer = await context.get(viewerContext);
  const isSignedIn = viewer !== null;
  app.embeds.push(...thirdPartiesOn(app.product, { pathname: url.pathname, isSignedIn }));
  const page = {
    ...siteFacts(app, request),
    gateLink: app.gate.kind === "none" ? null : gateLink(),
    isSignedIn,
    // The page of a failed sign-out shows its own error.
    viewerUnknown:
      context.get(viewerUnknownContext) && url.pathname !== href("/logout") ? viewerUnknownMessages.en.text : null,
    flash: flashText(flash),
    diagnostics: app.diagnostics,
  };
  return flash ? data(page, { headers: { "Set-Cookie": endedCookie("flash") } }) : page;
}

export function Layout({ children }: { children: React.ReactNode }) {
  const page = useRouteLoaderData<typeof loader>("root");
  const site = use(SiteContext);
  const theme = (page ?? site)?.theme ?? undefined;
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? "light dark"} />
        <Meta />
        <Links nonce="" />
      </head>
      <body>
        <LanguageContext value="en">{children}</LanguageContext>
        {/* Without the root's data the browser could only render less than the server did. */}
        {page && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useFocusOnFragment();
  return (
    <SiteFrame>
      <PageDiagnostics page={loaderData} isMissing={false} />
      <Outlet />
    </SiteFrame>
  );
}

/** Catches what no other boundary can: errors in the root's own loader, and in middleware, which runs before any loader. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <SiteFrame>
      <ErrorPage error={error} Page={FormPage} />
    </SiteFrame>
  );
}

function SiteFrame({ children }: { children: React.ReactNode }) {
  const messages = useMessages(rootMessages);
  const page = useRouteLoaderData<typeof loader>("root");
  const site = use(SiteContext);
  const facts = page ?? site;
  const hasRail = useRouteLoaderData("routes/settings/layout") !== undefined;
  const isPlaced = useIsFlashPlaced();
  return (
    <PageShell
      brand={facts?.brand ?? { name: "" }}
      logo={<Logo />}
      skipMessages={messages.skip}
      skipTo={hasRail ? "content" : undefined}
      nav={page && (page.isSignedIn ? <SignedInLinks /> : <VisitorLinks />)}
      banner={facts?.banner}
      footer={facts && <Footer site={facts} />}
    >
      <NavigationProgress label={messages.loading} />
      <PageAnnouncer />
      <LeaveOldBuild />
      <UnsentNotice />
      {/* Settings pages show it in their own column. */}
      {page?.flash && !isPlaced && !hasRail && <Flash arrival={page}>{page.flash.text}</Flash>}
      {page?.viewerUnknown && <Notice kind="attention">{page.viewerUnknown}</Notice>}
      {children}
    </PageShell>
  );
}

/** Groups of links below the landing page and the legal texts; one line of links everywhere else. */
function Footer({ site, gateLink = null }: { site: ReturnType<typeof siteFacts>; gateLink?: FooterLink | null }) {
  const { footer } = useMessages(rootMessages);
  const isLanding = useRouteLoaderData("routes/landing/route") !== undefined;
  const isLegal = useRouteLoaderData("routes/legal/route") !== undefined;
  const status = { to: site.statusUrl, label: footer.status };
  const legal = [
    { to: href("/legal/:page", { page: "terms" }), label: footer.terms },
    { to: href("/legal/:page", { page: "privacy" }), label: footer.privacy },
    { to: href("/legal/:page", { page: "imprint" }), label: footer.imprint },
    ...(site.hasWithdrawal ? [{ to: href("/withdraw"), label: footer.withdraw }] : []),
    ...(site.hasCancellation ? [{ to: href("/cancel"), label: footer.cancel }] : []),
  ];
  const note = footer.note(site.seller, site.year);
  if (!isLanding && !isLegal) {
    return <LineFooter links={[{ to: `mailto:${site.support}`, label: footer.help }, status, ...legal]} note={note} />;
  }
  const groups = [
    {
      label: footer.product,
      links: [
        { to: `${href("/")}#plans`, label: footer.plans },
        { to: `${href("/")}#questions`, label: footer.questions },
        ...(gateLink ? [gateLink] : []),
        { to: href("/settings"), label: footer.account },
      ],
    },
    { label: footer.legal, links: legal },
    { label: footer.help, links: [{ to: `mailto:${site.support}`, label: footer.support }, status] },
  ];
  return <SiteFooter groups={groups} note={note} />;
}

/** What a flash's cookie stands for. Null for a word that no action writes. */
function flashText(name: string | null): { name: FlashName; text: string } | null {
  const texts: Readonly<Record<string, string>>[] = [
    flashMessages.en,
    ...features.map(({ messages }) => messages.en.flashes),
  ];
  for (const [word, text] of texts.flatMap((each) => Object.entries(each))) {
    // A word with a text is a name.
    if (word === name) return { name: word as FlashName, text };
  }
  return null;
}

type FooterLink = { to: string; label: string };

/** To the page where one waits for what is open by invitation only. */
function gateLink(): FooterLink {
  const { path, messages } = gatePages();
  return { to: path, label: messages.en.footer };
}
