import { Link, Outlet, useRouteLoaderData } from "react-router";
import { appContext } from "#app/http/contexts.ts";
import { formatDay } from "#app/core/time/time.ts";
import { graceMs } from "#app/modules/subscriptions/rules.ts";
import { featuresOf } from "#app/modules/catalogue/features.rules.ts";
import { freePlan, segmentPath } from "#app/modules/catalogue/rules.ts";
import { requireActive } from "#app/http/middleware/require-active.ts";
import { requireViewer } from "#app/http/middleware/require-viewer.ts";
import { signedIn } from "#app/http/signed-in.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { SettingsShell } from "#app/ui/components/layout/settings-shell.tsx";
import type { Route } from "./+types/layout";
import type { Route as PlanRoute } from "./plan/+types/route";
import type { Route as OverviewRoute } from "./overview/+types/route";
import { settingsMenu } from "./menu.ts";
import { settingsMessages } from "./messages.ts";

export const middleware: Route.MiddlewareFunction[] = [requireViewer, requireActive];

/** A loader, so that client navigations to the pages below run the middleware, too. */
export async function loader({ context }: Route.LoaderArgs) {
  const { product, gate } = context.get(appContext);
  const { account, due, hasPlan } = await signedIn(context).viewer;
  return {
    due: due && { ...due, until: formatDay(due.since + graceMs, account), lockedMeans: product.lockedMeans },
    product: product.name,
    planPath: segmentPath(product, "plan"),
    menu: settingsMenu(product, featuresOf(product, gate), {
      isPendingDeletion: account.state === "leaving",
      hasPlan: (hasPlan ?? false) || freePlan(product) !== null,
    }),
  };
}

export default function Settings({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(settingsMessages);
  const plan = useRouteLoaderData<PlanRoute.ComponentProps["loaderData"]>("routes/settings/plan/route");
  const overview = useRouteLoaderData<OverviewRoute.ComponentProps["loaderData"]>("routes/settings/overview/route");
  const isSaidBelow = plan?.due || overview?.plan?.isDue;
  const groups = page.menu.map((group) => ({
    label: group.label ? messages[group.label] : page.product,
    links: group.links.map((link) => ({ ...link, label: messages[link.label] })),
  }));
  return (
    <SettingsShell label={messages.label} groups={groups}>
      {/* Here and not in `meta`: a page's own `meta` replaces that of its layouts. */}
      <meta name="robots" content="noindex" />
      <div className="stack settings-content" id="content" tabIndex={-1}>
        {/* On every page until it is paid. */}
        {page.due && !isSaidBelow && (
          <Notice kind={page.due.isLocked ? "problem" : "attention"} title={messages.due.title}>
            {messages.due.text(page.due.isLocked, page.due.until, page.due.lockedMeans)}{" "}
            <Link to={page.planPath}>{messages.due.link}</Link>
          </Notice>
        )}
        <Outlet />
      </div>
    </SettingsShell>
  );
}
