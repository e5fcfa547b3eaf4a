import { ViewTransition } from "react";
import { Outlet, useLocation, useMatches, useRouteLoaderData } from "react-router";
import type { loader as rootLoader } from "#app/root.tsx";
import { appContext } from "#app/http/request/contexts.ts";
import { isReservedAddress } from "#app/core/text/reserved-address.ts";
import { isAccountClosed, type Account, type Viewer } from "#app/modules/accounts/rules.ts";
import { freePlan, type ProductConfig } from "#app/modules/catalogue/rules.ts";
import { requireActive } from "#app/http/session/require-active.ts";
import { requireViewer } from "#app/http/session/require-viewer.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { Flash, useIsFlashPlaced } from "#app/ui/components/feedback/flash.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SettingsShell } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/layout";
import { settingsMenu } from "./menu.ts";
import { settingsMessages, demoMessages } from "./messages.ts";
import { segmentPath } from "#app/core/page-paths.ts";
import { paymentPath } from "#app/modules/billing/orders/states.rules.ts";
import { dueMessages } from "./plan/messages.ts";
import { sayWhenLocked } from "./say-when-locked.ts";

export const middleware: Route.MiddlewareFunction[] = [requireViewer, requireActive];

/** Client navigations to the pages below run this layout's middleware only because it has a loader. */
export async function loader({ context }: Route.LoaderArgs) {
  const { product, gate, isLocal } = context.get(appContext);
  const { account, due, hasPlan } = await signedIn(context).viewer;
  return {
    demo: !isLocal && isReservedAddress(account.email) ? demoMessages.en.text : null,
    due: due && sayDueAnywhere(product, account, due),
    product: product.name,
    menu: settingsMenu(product, gate, {
      isAccountClosed: isAccountClosed(account),
      hasPlan: (hasPlan ?? false) || freePlan(product) !== null,
    }),
  };
}

export default function Settings({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(settingsMessages);
  const { pathname } = useLocation();
  const isShownBelow = useMatches().some(({ loaderData }) => showsDue(loaderData));
  const groups = page.menu.map((group) => ({ ...group, label: group.label ?? page.product }));
  return (
    <SettingsShell label={messages.label} groups={groups}>
      {/* Not in `meta`, since a page's own `meta` replaces that of its layouts. */}
      <meta name="robots" content="noindex" />
      <div className="stack settings-content" id="content" tabIndex={-1}>
        <SettingsFlash />
        {page.demo && <Notice kind="info">{page.demo}</Notice>}
        {/* Shown on every page until it is paid. */}
        {page.due && !isShownBelow && (
          <Notice kind="problem" title={page.due.title}>
            {page.due.text} <Link to={page.due.link.to}>{page.due.link.text}</Link>
          </Notice>
        )}
        {/* Animates from one page to the next, but not when something on a page changes. */}
        <ViewTransition key={pathname} default="none" enter="auto" exit="auto">
          <Outlet />
        </ViewTransition>
      </div>
    </SettingsShell>
  );
}

/** A page whose loader data has `isDueShown` says itself that a payment is due. */
function showsDue(data: unknown): boolean {
  return typeof data === "object" && data !== null && "isDueShown" in data && data.isDueShown === true;
}

/** Shows the flash first in the column of every page that doesn't place it itself. */
function SettingsFlash() {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const isPlaced = useIsFlashPlaced();
  return root?.flash && !isPlaced && <Flash arrival={root}>{root.flash.text}</Flash>;
}

/** The notice of an unpaid renewal on every page that doesn't show the payment itself. */
function sayDueAnywhere(product: ProductConfig, account: Account, due: NonNullable<Viewer["due"]>) {
  const { due: messages } = settingsMessages.en;
  const whenLocked = sayWhenLocked(product, account, due);
  if (due.toConfirm === null) {
    const link = { text: messages.link, to: segmentPath(product, "plan") };
    return { title: messages.title(due.isLocked), text: whenLocked, link };
  }
  const { confirm, toConfirm } = dueMessages.en;
  const to = paymentPath({ id: due.toConfirm, state: "needs-action", isUnconfirmed: false });
  return {
    title: due.isLocked ? messages.title(true) : messages.titleConfirm,
    text: `${confirm} ${whenLocked}`,
    link: { text: toConfirm, to },
  };
}
