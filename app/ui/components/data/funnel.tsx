type Stage = { label: string; count: number };

/** How many remain at each stage. The labels and numbers are the accessible content; the bars only repeat them. */
export function Funnel({ label, stages }: { label: string; stages: readonly Stage[] }) {
  const widest = Math.max(1, ...stages.map((stage) => stage.count));
  const hasBars = stages.some((stage) => stage.count > 0);
  return (
    <ol className="funnel" aria-label={label}>
      {stages.map((stage, index) => {
        const share = (stage.count / widest) * 100;
        const next = ((stages[index + 1]?.count ?? stage.count) / widest) * 100;
        return (
          <li key={stage.label}>
            <span className="funnel-label">{stage.label}</span>
            <span className="funnel-count figures">{stage.count}</span>
            {hasBars && (
              <svg className="funnel-bar" viewBox="0 0 100 22" preserveAspectRatio="none" aria-hidden="true">
                <rect className="funnel-solid" width={share} height="13" />
                {next < share && <path className="funnel-fall" d={`M0 13H${share}L${next} 22H0Z`} />}
              </svg>
            )}
          </li>
        );
      })}
    </ol>
  );
}
