import { Link, Outlet, useRouteLoaderData } from "react-router";
import { appContext } from "#app/context.ts";
import { formatDay } from "#app/domain/kernel/time.ts";
import { graceMs } from "#app/domain/plans/rules.ts";
import { segmentPath } from "#app/domain/product/rules.ts";
import { requireActive } from "#app/middleware/require-active.ts";
import { requireViewer } from "#app/middleware/require-viewer.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { useWords } from "#app/ui/language.ts";
import { Notice } from "#app/ui/notice.tsx";
import { SettingsShell } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/settings";
import type { loader as planLoader } from "./plan.tsx";
import type { loader as youLoader } from "./you.tsx";
import { settingsWords } from "./settings.words.ts";

export const middleware: Route.MiddlewareFunction[] = [requireViewer, requireActive];

/** A loader, so that client navigations to any page below ask the middleware, too. */
export async function loader({ context }: Route.LoaderArgs) {
  const { product } = context.get(appContext);
  const { account, due } = await signedIn(context).viewer;
  return {
    isLeaving: account.state === "leaving",
    due: due && { ...due, until: formatDay(due.since + graceMs, account), lockedMeans: product.lockedMeans },
    product: product.name,
    devicesPath: segmentPath(product, "account"),
    planPath: segmentPath(product, "plan"),
    preferencesPath: segmentPath(product, "settings"),
  };
}

export default function Settings({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(settingsWords);
  const plan = useRouteLoaderData<typeof planLoader>("routes/plan");
  const overview = useRouteLoaderData<typeof youLoader>("routes/you");
  const isSaidBelow = plan?.due || overview?.plan?.running?.isDue;
  const you = { label: words.you, links: [{ to: "/settings", label: words.overview, end: true }] };
  const orders = { to: "/settings/orders", label: words.orders };
  const groups = [
    you,
    {
      label: page.product,
      links: [
        { to: page.devicesPath, label: words.devices },
        { to: page.preferencesPath, label: words.preferences },
      ],
    },
    {
      label: words.money,
      links: [
        { to: page.planPath, label: words.plan },
        { to: "/settings/upgrade", label: words.upgrade },
        orders,
        { to: "/settings/referral", label: words.referral },
      ],
    },
  ];
  const openWhileLeaving = [you, { label: words.money, links: [orders] }];
  return (
    <SettingsShell label={words.label} groups={page.isLeaving ? openWhileLeaving : groups}>
      {/* Here and not in `meta`: a page's own replaces that of the layouts around it. */}
      <meta name="robots" content="noindex" />
      <div className="stack settings-content" id="content" tabIndex={-1}>
        {/* On every page until it is paid. */}
        {page.due && !isSaidBelow && (
          <Notice kind={page.due.isLocked ? "problem" : "attention"} title={words.due.title}>
            {words.due.text(page.due.isLocked, page.due.until, page.due.lockedMeans)}{" "}
            <Link to={page.planPath}>{words.due.link}</Link>
          </Notice>
        )}
        <Outlet />
      </div>
    </SettingsShell>
  );
}
