import { href } from "react-router";
import { type Reader, formatMoment } from "#app/core/time/time.ts";
import { isUsedUp } from "#app/modules/billing/usage/rules.ts";
import { formatQuantity } from "#app/core/text/quantity.ts";
import type { Meter } from "#app/modules/catalogue/rules.ts";
import { LinkButton } from "#app/ui/components/forms/button.tsx";
import { KeyValues } from "#app/ui/components/data/key-values.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { MeterBar } from "#app/ui/components/data/meter-bar.tsx";
import { Moment } from "#app/ui/components/data/moment.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { sayMeter } from "#app/http/page/say-meter.ts";
import { usageMessages } from "#app/http/page/usage.messages.ts";

/** A meter with the plan's limit and what is used of it. `used` is null until a device has reported some. */
type MeterShown = Omit<Meter, "limit"> & { limit: number; used: { value: number; reportedAt: number } | null };

type UsageProps = { meters: readonly MeterShown[]; hasPlan: boolean; reader: Reader };

export function Usage({ meters, hasPlan, reader }: UsageProps) {
  const messages = useMessages(usageMessages);
  if (!hasPlan) return <UsageOnly meters={meters} reader={reader} />;
  if (meters.length === 0) return null;
  const reportedAt = whenAll(meters, reader);
  const isFull = meters.some(({ used, limit }) => used !== null && isUsedUp(used.value, limit));
  return (
    <SectionCard
      id="usage"
      title={messages.title}
      tone={isFull ? "attention" : "plain"}
      footer={<LinkButton to={href("/settings/upgrade")}>{messages.change}</LinkButton>}
    >
      {meters.map((meter) => (
        <MeterOfPlan key={meter.key} meter={meter} isTimed={reportedAt === null} reader={reader} />
      ))}
      <ReportedLine at={reportedAt} reader={reader} />
    </SectionCard>
  );
}

/** Without a plan there are no limits. */
function UsageOnly({ meters, reader }: Omit<UsageProps, "hasPlan">) {
  const messages = useMessages(usageMessages);
  const reportedAt = whenAll(meters, reader);
  const items = meters.flatMap(({ label, unit, used }) => {
    if (!used) return [];
    const reported = reportedAt === null && (
      <span className="quiet">
        <Reported at={used.reportedAt} reader={reader} />
      </span>
    );
    return [
      {
        label,
        value: (
          <>
            {formatQuantity(used.value, unit, reader.locale)} {reported}
          </>
        ),
      },
    ];
  });
  if (items.length === 0) return null;
  return (
    <SectionCard id="usage" title={messages.titleNoPlan}>
      <KeyValues items={items} />
      <ReportedLine at={reportedAt} reader={reader} />
    </SectionCard>
  );
}

/** When usage was reported, if all of it was in the same minute, so that the page says it once. Null otherwise. */
function whenAll(meters: readonly MeterShown[], reader: Reader): number | null {
  const times = meters.flatMap(({ used }) => (used ? [used.reportedAt] : []));
  const isOne = new Set(times.map((at) => formatMoment(at, reader))).size === 1;
  return isOne ? (times[0] ?? null) : null;
}

function ReportedLine({ at, reader }: { at: number | null; reader: Reader }) {
  return (
    at !== null && (
      <p className="quiet">
        <Reported at={at} reader={reader} />
      </p>
    )
  );
}

function Reported({ at, reader: { timeZone, locale } }: { at: number; reader: Reader }) {
  const messages = useMessages(usageMessages);
  return (
    <>
      {messages.reported}
      <Moment at={at} timeZone={timeZone} locale={locale} style="date-time" />
    </>
  );
}

function MeterOfPlan({ meter, isTimed, reader }: { meter: MeterShown; isTimed: boolean; reader: Reader }) {
  const messages = useMessages(usageMessages);
  const { label, kind, unit, limit, used } = meter;
  const { locale } = reader;
  const say = (value: number) => formatQuantity(value, unit, locale);
  const text = sayMeter(meter, messages, locale);
  return (
    <div className="meter">
      <MeterBar label={label} text={text} value={used?.value ?? 0} max={limit} />
      {used && isUsedUp(used.value, limit) && (
        <p>{used.value > limit ? messages.over[kind](say(used.value - limit)) : messages.full}</p>
      )}
      <ReportedLine at={isTimed && used ? used.reportedAt : null} reader={reader} />
    </div>
  );
}
