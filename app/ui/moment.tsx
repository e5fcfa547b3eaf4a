type MomentStyle = "date" | "date-time" | "relative" | "month";

type MomentProps = {
  at: Date | number;
  timeZone: string;
  locale: string;
  style?: MomentStyle;
  /** Needed for "relative"; without it the date and time are shown. */
  now?: Date | number;
};

/** The exact moment stands in `datetime` and as the title, whatever is shown. */
export function Moment({ at, timeZone, locale, style = "date", now }: MomentProps) {
  const moment = new Date(at);
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long", timeZone }).format(moment);
  return (
    // The server's and the browser's calendar data may differ by a space: not worth a warning.
    <time dateTime={moment.toISOString()} title={exact} suppressHydrationWarning>
      {momentText(moment, { timeZone, locale, style, now })}
    </time>
  );
}

type Wording = { timeZone: string; locale: string; style: MomentStyle; now?: Date | number };

function momentText(moment: Date, { timeZone, locale, style, now }: Wording): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(moment);
  switch (style) {
    case "month":
      return format({ month: "long", year: "numeric" });
    case "date":
      return format({ dateStyle: "long" });
    case "date-time":
      return format({ dateStyle: "long", timeStyle: "short" });
    case "relative":
      if (now === undefined) return format({ dateStyle: "long", timeStyle: "short" });
      return relativeText(moment.getTime() - new Date(now).getTime(), locale);
  }
}

/** Each unit in seconds, largest first. */
const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

function relativeText(distanceMs: number, locale: string): string {
  const seconds = distanceMs / 1000;
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return relative.format(0, "second");
}
