import { appContext } from "#app/context.ts";
import { formatQuantity } from "#app/domain/kernel/quantity.ts";
import { findRunningSubscription } from "#app/domain/plans/store.server.ts";
import { findPlan, freePlan } from "#app/domain/product/rules.ts";
import { pageTitle } from "#app/request/page-title.ts";
import { signedIn } from "#app/request/signed-in.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { KeyValues } from "#app/ui/key-values.tsx";
import { useWords } from "#app/ui/language.ts";
import { MeterBar } from "#app/ui/meter-bar.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { SettingsPage } from "#app/ui/settings-shell.tsx";
import type { Route } from "./+types/devices";
import { devicesWords } from "./devices.words.ts";
import { HandOver } from "./hand-over.tsx";

export const meta: Route.MetaFunction = ({ matches }) => [{ title: pageTitle(devicesWords.en.title, matches) }];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { account } = signedIn(context);
  const running = await findRunningSubscription(app.db, account.id);
  const plan = findPlan(app.product, running?.planId) ?? freePlan(app.product);
  return {
    locale: account.locale,
    plan: { name: plan.name, limits: plan.limits },
    meters: app.product.meters,
    start: { ...app.product.start, product: app.product.name },
  };
}

export default function Devices({ loaderData: page }: Route.ComponentProps) {
  const words = useWords(devicesWords);
  const { limits } = page.plan;
  return (
    <SettingsPage title={words.title} lead={words.lead(page.plan.name)}>
      <SectionCard
        title={words.limits.title}
        footer={<LinkButton to="/settings/upgrade">{words.limits.change}</LinkButton>}
      >
        <MeterBar
          label={words.limits.devices}
          text={words.limits.seats(0, limits.devices)}
          value={0}
          max={limits.devices}
        />
        <KeyValues
          items={page.meters.map(({ label, unit, limit }) => ({
            label,
            value: words.limits.upTo(formatQuantity(limits[limit] ?? 0, unit, page.locale)),
          }))}
        />
        <EmptyState title={words.none.title}>{words.none.text}</EmptyState>
      </SectionCard>
      <HandOver start={page.start} />
    </SettingsPage>
  );
}
