import { href } from "react-router";
import type { Account } from "#app/modules/accounts/rules.ts";
import { isUsedUp } from "#app/modules/devices/usage.rules.ts";
import { formatMoment } from "#app/core/time/time.ts";
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
  const reportedAt = whenAll(meters, account);
  const isFull = meters.some(({ used, limit }) => used !== null && isUsedUp(used.value, limit));
  return (
    <SectionCard
      id="usage"
      title={messages.title}
      tone={isFull ? "attention" : "plain"}
      footer={<LinkButton to={href("/settings/upgrade")}>{messages.change}</LinkButton>}
    >
      {meters.map((meter) => (
        <MeterOfPlan key={meter.key} meter={meter} isTimed={reportedAt === null} account={account} />
      ))}
      <ReportedLine at={reportedAt} account={account} />
    </SectionCard>
  );
}

/** Without a plan there are no limits. */
function UsageOnly({ meters, account }: Omit<UsageProps, "hasPlan">) {
  const messages = useMessages(usageMessages);
  const reportedAt = whenAll(meters, account);
  const items = meters.flatMap(({ label, unit, used }) => {
    if (!used) return [];
    const reported = reportedAt === null && (
      <span className="quiet">
        <Reported at={used.reportedAt} account={account} />
      </span>
    );
    return [
      {
        label,
        value: (
          <>
            {formatQuantity(used.value, unit, account.locale)} {reported}
          </>
        ),
      },
    ];
  });
  if (items.length === 0) return null;
  return (
    <SectionCard id="usage" title={messages.titleNoPlan}>
      <KeyValues items={items} />
      <ReportedLine at={reportedAt} account={account} />
    </SectionCard>
  );
}

/** When all usage was reported, to the minute: said once then. Null: at different times, or never. */
function whenAll(meters: readonly MeterShown[], account: Account): number | null {
  const times = meters.flatMap(({ used }) => (used ? [used.reportedAt] : []));
  const isOne = new Set(times.map((at) => formatMoment(at, account))).size === 1;
  return isOne ? (times[0] ?? null) : null;
}

function ReportedLine({ at, account }: { at: number | null; account: Account }) {
  return (
    at !== null && (
      <p className="quiet">
        <Reported at={at} account={account} />
      </p>
    )
  );
}

function Reported({ at, account: { timeZone, locale } }: { at: number; account: Account }) {
  const messages = useMessages(usageMessages);
  return (
    <>
      {messages.reported}
      <Moment at={at} timeZone={timeZone} locale={locale} style="date-time" />
    </>
  );
}

function MeterOfPlan({ meter, isTimed, account }: { meter: MeterShown; isTimed: boolean; account: Account }) {
  const messages = useMessages(usageMessages);
  const { label, kind, unit, limit, used } = meter;
  const { locale } = account;
  const say = (value: number) => formatQuantity(value, unit, locale);
  const text = sayMeter(meter, messages, locale);
  return (
    <div className="meter">
      <MeterBar label={label} text={text} value={used?.value ?? 0} max={limit} />
      {used && isUsedUp(used.value, limit) && (
        <p>{used.value > limit ? messages.over[kind](say(used.value - limit)) : messages.full}</p>
      )}
      <ReportedLine at={isTimed && used ? used.reportedAt : null} account={account} />
    </div>
  );
}
