import type { ReactNode } from "react";
import { Arch, arch, type Door, IllustrationFrame, MissingArch } from "./arch.tsx";

type StatusIllustrationProps = { state: Door | "letter" | "missing" | "nameplate" | "queue" };

/** A status as an arch: open, half open or closed; with a letter, a nameplate or a queue; or missing. The text says the same. */
export function StatusIllustration({ state }: StatusIllustrationProps) {
  return <IllustrationFrame state={state}>{drawings[state]}</IllustrationFrame>;
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
  missing: <MissingArch />,
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
