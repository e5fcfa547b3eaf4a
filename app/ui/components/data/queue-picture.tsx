/** How many figures there is room for before and after the user's own. */
const aheadMax = 6;
const behindMax = 3;
/** From one figure to the next, in the picture's own units. */
const step = 22;

type QueuePictureProps = {
  /** The user's place, as the largest text: "#141". */
  place: string;
  /** What the number is, for a screen reader. */
  label: string;
  ahead: number;
  behind: number;
};

/** Shows a place in a line: the number, and the line itself, shortened to what there is room for. */
export function QueuePicture({ place, label, ahead, behind }: QueuePictureProps) {
  const isCut = ahead > aheadMax;
  const before = Math.min(ahead, aheadMax);
  const after = Math.min(behind, behindMax);
  // Three dots are the figures that are left out.
  const start = isCut ? 78 : 56;
  const own = start + before * step;
  const figures = Array.from({ length: before + 1 + after }, (_, index) => start + index * step);
  return (
    <div className="queue">
      <p className="queue-place">
        <span className="visually-hidden">{label} </span>
        {place}
      </p>
      <svg className="queue-line" viewBox="0 0 290 50" fill="none" aria-hidden="true">
        <path className="status-illustration-opening" d="M10 46V18a14 14 0 0 1 28 0v28Z" />
        <path className="status-illustration-door" d="M10 46V18A14 14 0 0 1 24 4c3 0 5 3 5 9v37Z" />
        <path className="status-illustration-line" d="M10 46V18a14 14 0 0 1 28 0v28" />
        <circle className="status-illustration-knob" cx="25" cy="31" r="1.75" />
        {isCut && <path className="queue-cut" d="M52 40h20" />}
        {figures.map((x) => (
          <path
            className={x === own ? "queue-own" : x < own ? "queue-other" : "queue-other queue-behind"}
            d={`M${x} 46V34a7 7 0 0 1 14 0v12Z`}
            key={x}
          />
        ))}
        <path className="status-illustration-line" d="M0 46h290" />
      </svg>
    </div>
  );
}
