import { useSecondsLeft } from "#app/ui/hooks/use-seconds-left.ts";

type CountdownProps = { until: number; now: number; label: (secondsLeft: number) => string; done: string };

/** Renders the time left as of the server's `now`, and counts down after hydration. */
export function Countdown({ until, now, label, done }: CountdownProps) {
  const secondsLeft = useSecondsLeft(until, now);
  return (
    <span className="figures" role="timer">
      {secondsLeft > 0 ? label(secondsLeft) : done}
    </span>
  );
}
