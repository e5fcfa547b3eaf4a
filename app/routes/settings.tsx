import { Link, Outlet, useRouteLoaderData } from "react-router";
import { appContext } from "#app/context.ts";
import { formatDay } from "#app/domain/kernel/time.ts";
import { graceMs } from "#app/domain/plans/rules.ts";
import { featuresOf } from "#app/domain/product/features.rules.ts";
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
import { settingsMenu } from "./settings-menu.ts";
import { settingsWords } from "./settings.words.ts";

export const middleware: Route.MiddlewareFunction[] = [requireViewer, requireActive];

/** A loader, so that client navigations to any page below ask the middleware, too. */
export async function loader({ context }: Route.LoaderArgs) {
  const { product, gate } = context.get(appContext);
  const { account, due } = await signedIn(context).viewer;
  return {
    due: due && { ...due, until: formatDay(due.since + graceMs, account), lockedMeans: product.lockedMeans },
    product: product.name,
    planPath: segmentPath(product, "plan"),
    menu: settingsMenu(product, featuresOf(product, gate), account.state === "leaving"),
  };
}

export default function Settings({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(settingsWords);
  const plan = useRouteLoaderData<typeof planLoader>("routes/plan");
  const overview = useRouteLoaderData<typeof youLoader>("routes/you");
  const isSaidBelow = plan?.due || overview?.plan?.running?.isDue;
  const groups = page.menu.map((group) => ({
    label: group.label ? words[group.label] : page.product,
    links: group.links.map((link) => ({ ...link, label: words[link.label] })),
  }));
  return (
    <SettingsShell label={words.label} groups={groups}>
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
