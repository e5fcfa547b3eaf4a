import {
  formatDay,
  formatExactly,
  formatMoment,
  formatMonth,
  formatShortDay,
  formatShortMoment,
  type Reader,
} from "#app/core/time/time.ts";

type MomentProps = Reader & { at: number; style?: keyof typeof styles };

const styles = {
  date: formatDay,
  short: formatShortDay,
  "date-time": formatMoment,
  "short-date-time": formatShortMoment,
  month: formatMonth,
  exact: formatExactly,
};

/** The exact instant is always in `datetime` and in the title. */
export function Moment({ at, timeZone, locale, style = "date" }: MomentProps) {
  const reader = { timeZone, locale };
  return (
    // The server's and the browser's calendar data may differ by a space: not worth a hydration warning.
    <time dateTime={new Date(at).toISOString()} title={formatExactly(at, reader)} suppressHydrationWarning>
      {styles[style](at, reader)}
    </time>
  );
}
