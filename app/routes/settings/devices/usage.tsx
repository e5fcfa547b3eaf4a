import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { isUsedUp } from "#app/modules/devices/usage.rules.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { sayMeter } from "./say-meter.ts";
import { usageMessages } from "./usage.messages.ts";

/** A meter with the plan's limit and the usage; null: no device has reported any so far. */
type MeterShown = Omit<Meter, "limit"> & { limit: number; used: { value: number; reportedAt: number } | null };

type UsageProps = { meters: readonly MeterShown[]; hasPlan: boolean; account: Account };

/** Usage reported by devices, meter by meter, against the plan's limits. */
export function Usage({ meters, hasPlan, account }: UsageProps) {
  const messages = useMessages(usageMessages);
  if (!hasPlan) return <UsageOnly meters={meters} account={account} />;
  if (meters.length === 0) return null;
  const isFull = meters.some(({ used, limit }) => used !== null && isUsedUp(used.value, limit));
  return (
    <SectionCard
      id="usage"
      title={messages.title}
      tone={isFull ? "attention" : "plain"}
      footer={<LinkButton to={href("/settings/upgrade")}>{messages.change}</LinkButton>}
    >
      {meters.map((meter) => (
        <MeterOfPlan key={meter.key} meter={meter} account={account} />
      ))}
    </SectionCard>
  );
}

/** Without a plan there are no limits. */
function UsageOnly({ meters, account }: Omit<UsageProps, "hasPlan">) {
  const messages = useMessages(usageMessages);
  const { locale, timeZone } = account;
  const items = meters.flatMap(({ label, unit, used }) => {
    if (!used) return [];
    const at = <Moment at={used.reportedAt} timeZone={timeZone} locale={locale} style="date-time" />;
    const reported = (
      <span className="quiet">
        {messages.reported}
        {at}
      </span>
    );
    return [
      {
        label,
        value: (
          <>
            {formatQuantity(used.value, unit, locale)} {reported}
          </>
        ),
      },
    ];
  });
  if (items.length === 0) return null;
  return (
    <SectionCard id="usage" title={messages.titleNoPlan}>
      <KeyValues items={items} />
    </SectionCard>
  );
}

function MeterOfPlan({ meter, account }: { meter: MeterShown; account: Account }) {
  const messages = useMessages(usageMessages);
  const { label, kind, unit, limit, used } = meter;
  const { locale, timeZone } = account;
  const say = (value: number) => formatQuantity(value, unit, locale);
  const text = sayMeter(meter, messages, locale);
  return (
    <div className="meter">
      <MeterBar label={label} text={text} value={used?.value ?? 0} max={limit} />
      {used && isUsedUp(used.value, limit) && (
        <p>{used.value > limit ? messages.over[kind](say(used.value - limit)) : messages.full}</p>
      )}
      {used && (
        <p className="quiet">
          {messages.reported}
          <Moment at={used.reportedAt} timeZone={timeZone} locale={locale} style="date-time" />
        </p>
      )}
    </div>
  );
}
