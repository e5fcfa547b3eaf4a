type StatusIllustrationProps = { state: "open" | "ajar" | "shut" };

/** A status pictured as an open, half-open or closed door: the text beside it says the same. */
export function StatusIllustration({ state }: StatusIllustrationProps) {
  return (
    <svg
      className={`status-illustration status-illustration-${state}`}
      viewBox="0 0 120 64"
      fill="none"
      aria-hidden="true"
    >
      {state === "open" && <path className="status-illustration-light" d="M46 54 30 64h60L74 54Z" />}
      <path className="status-illustration-line" d="M0 54h120" />
      <path className="status-illustration-opening" d="M46 54V22a14 14 0 0 1 28 0v32Z" />
      <path className="status-illustration-door" d={doors[state]} />
      <path className="status-illustration-line" d="M46 54V22a14 14 0 0 1 28 0v32" />
      {state !== "open" && (
        <circle className="status-illustration-knob" cx={state === "shut" ? 69 : 61} cy="37" r="1.75" />
      )}
    </svg>
  );
}

/** Hinged on the left: fully open, half open or closed. */
const doors = {
  open: "M46 54V22l-9-5v43Z",
  ajar: "M46 54V22a14 14 0 0 1 14-14c3 0 5 3 5 9v43Z",
  shut: "M46 54V22a14 14 0 0 1 28 0v32Z",
};
