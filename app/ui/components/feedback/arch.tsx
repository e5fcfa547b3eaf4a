import type { ReactNode } from "react";

export type Door = "open" | "ajar" | "shut";

/** The ground below an illustration of a status. It has its own file, since error pages, and so all pages, load only this part. */
export function IllustrationFrame({ state, children }: { state: string; children: ReactNode }) {
  return (
    <svg
      className={`status-illustration status-illustration-${state}`}
      viewBox="0 0 120 64"
      fill="none"
      aria-hidden="true"
    >
      {children}
      <path className="status-illustration-line" d="M0 54h120" />
    </svg>
  );
}

export const arch = "M46 54V22a14 14 0 0 1 28 0v32";

/** Hinged on the left: fully open, half open or closed. */
const doors: Record<Door, string> = {
  open: "M46 54V22l-9-5v43Z",
  ajar: "M46 54V22a14 14 0 0 1 14-14c3 0 5 3 5 9v43Z",
  shut: "M46 54V22a14 14 0 0 1 28 0v32Z",
};

/** Only the arch's outline. */
export function MissingArch() {
  return <path className="status-illustration-dashes" d={arch} />;
}

export function Arch({ door }: { door: Door }) {
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
