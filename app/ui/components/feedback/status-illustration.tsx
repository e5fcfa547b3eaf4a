import type { ReactNode } from "react";

type Door = "open" | "ajar" | "shut";
type StatusIllustrationProps = { state: Door | "letter" | "missing" | "nameplate" | "queue" };

/** A status pictured at an arch: open, half open or closed; with a letter, a nameplate or a queue; or missing. The text says the same. */
export function StatusIllustration({ state }: StatusIllustrationProps) {
  return (
    <svg
      className={`status-illustration status-illustration-${state}`}
      viewBox="0 0 120 64"
      fill="none"
      aria-hidden="true"
    >
      {drawings[state]}
      <path className="status-illustration-line" d="M0 54h120" />
    </svg>
  );
}

const arch = "M46 54V22a14 14 0 0 1 28 0v32";

/** Hinged on the left: fully open, half open or closed. */
const doors: Record<Door, string> = {
  open: "M46 54V22l-9-5v43Z",
  ajar: "M46 54V22a14 14 0 0 1 14-14c3 0 5 3 5 9v43Z",
  shut: "M46 54V22a14 14 0 0 1 28 0v32Z",
};

function Arch({ door }: { door: Door }) {
  return (
    <>
      {door === "open" && <path className="status-illustration-light" d="M46 54 30 64h60L74 54Z" />}
      <path className="status-illustration-opening" d={`${arch}Z`} />
      <path className="status-illustration-door" d={doors[door]} />
      <path className="status-illustration-line" d={arch} />
      {door !== "open" && (
        <circle className="status-illustration-knob" cx={door === "shut" ? 69 : 61} cy="37" r="1.75" />
      )}
    </>
  );
}

const drawings: Record<StatusIllustrationProps["state"], ReactNode> = {
  open: <Arch door="open" />,
  ajar: <Arch door="ajar" />,
  shut: <Arch door="shut" />,
  letter: (
    <>
      <path className="status-illustration-opening" d={`${arch}Z`} />
      <path className="status-illustration-line" d={arch} />
      <g transform="rotate(-7 60 36)">
        <path className="status-illustration-sheet" d="M40 25h40v25H40Z" />
        <path className="status-illustration-line" d="m40 25 20 14 20-14" />
      </g>
    </>
  ),
  missing: <path className="status-illustration-dashes" d={arch} />,
  nameplate: (
    <>
      <Arch door="shut" />
      <path className="status-illustration-sheet" d="M84 24h24v15H84Z" />
      <path className="status-illustration-line" d="M88 29.5h16M88 33.5h10" />
    </>
  ),
  queue: (
    <>
      <g transform="translate(-40)">
        <Arch door="ajar" />
      </g>
      <path className="status-illustration-sheet" d="M48 54V44a6 6 0 0 1 12 0v10ZM68 54V44a6 6 0 0 1 12 0v10Z" />
      <path className="status-illustration-door" d="M88 54V44a6 6 0 0 1 12 0v10Z" />
    </>
  ),
};
