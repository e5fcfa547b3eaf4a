import type { ReactNode } from "react";
import { Icon, type IconName } from "./icons.tsx";

export type NoticeKind = "info" | "success" | "attention" | "problem";

type NoticeProps = {
  kind: NoticeKind;
  title?: ReactNode;
  children?: ReactNode;
  /** Read aloud when it appears or changes: at once for a problem, in turn otherwise. */
  live?: boolean;
};

const icons = { info: "info", success: "check", attention: "clock", problem: "alert" } satisfies Record<
  NoticeKind,
  IconName
>;

export function Notice({ kind, title, children, live = false }: NoticeProps) {
  const liveRole = kind === "problem" ? "alert" : "status";
  return (
    <div className={`notice notice-${kind}`} role={live ? liveRole : undefined}>
      <Icon name={icons[kind]} />
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children && <div className="notice-body">{children}</div>}
      </div>
    </div>
  );
}
