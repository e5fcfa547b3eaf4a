import type { ReactNode } from "react";
import { Icon, type IconName } from "#app/ui/components/icons.tsx";
import { useArrivalFocus } from "#app/ui/hooks/use-arrival-focus.ts";

type NoticeKind = "info" | "success" | "attention" | "problem";

type NoticeProps = {
  kind: NoticeKind;
  title?: ReactNode;
  children?: ReactNode;
  /** A live region: assertive for a problem, polite otherwise. */
  live?: boolean;
  /** A submission was refused, so focus moves to the message. Every live problem does the same. */
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
