import { useId } from "react";

type MeterBarProps = {
  label: string;
  text: string;
  value: number;
  max: number;
  /** Being full is not a problem for this meter. */
  mayBeFull?: boolean;
};

/** The share from which the bar shows a warning. */
const attentionShare = 0.8;

/** `text` says the same as text ("312 of 500 GB"), so the colour only repeats it. */
export function MeterBar({ label, text, value, max, mayBeFull = false }: MeterBarProps) {
  const labelId = useId();
  const share = max > 0 ? Math.max(0, value / max) : 1;
  return (
    <div className="meter">
      <div className="meter-text">
        <span id={labelId}>{label}</span>
        <span className="figures">{text}</span>
      </div>
      <div
        role="meter"
        aria-labelledby={labelId}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(value, max)}
        aria-valuetext={text}
      >
        <svg className={`meter-bar meter-${meterTone(share, mayBeFull)}`} width="100%" height="8" aria-hidden="true">
          <rect className="meter-track" width="100%" height="8" rx="4" />
          <rect
            className="meter-fill"
            width={`${Math.min(100, Math.max(share * 100, share > 0 ? 2 : 0))}%`}
            height="8"
            rx="4"
          />
        </svg>
      </div>
    </div>
  );
}

function meterTone(share: number, mayBeFull: boolean): "calm" | "attention" | "over" {
  if (share > 1) return "over";
  return share >= attentionShare && !mayBeFull ? "attention" : "calm";
}
