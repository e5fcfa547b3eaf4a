import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";
import { useArrivalFocus } from "../hooks/use-arrival-focus.ts";

export type NoticeKind = "info" | "success" | "attention" | "problem";

type NoticeProps = {
  kind: NoticeKind;
  title?: ReactNode;
  children?: ReactNode;
  /** Read aloud when it appears or changes: at once for a problem, in turn otherwise. */
  live?: boolean;
  /** What was sent was refused: focus goes where that is said. So it does to every live problem. */
  isRefusal?: boolean;
};

const icons = { info: "info", success: "check", attention: "clock", problem: "alert" } satisfies Record<
  NoticeKind,
  IconName
>;

export function Notice({ kind, title, children, live = false, isRefusal = live && kind === "problem" }: NoticeProps) {
  const liveRole = kind === "problem" ? "alert" : "status";
  const focusable = useArrivalFocus(isRefusal);
  return (
    <div className={`notice notice-${kind}`} role={live ? liveRole : undefined} {...(isRefusal && focusable)}>
      <Icon name={icons[kind]} />
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children && <div className="notice-body">{children}</div>}
      </div>
    </div>
  );
}
