import type { ReactNode } from "react";

type EmptyStateProps = { title: ReactNode; children: ReactNode; action?: ReactNode };

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <svg
        className="empty-picture"
        viewBox="0 0 96 40"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M36 34V18a12 12 0 0 1 24 0v16" />
        <path d="M0 34.5h96M64 39h24" strokeLinecap="round" />
      </svg>
      <p className="empty-title">{title}</p>
      {children && <div className="empty-text">{children}</div>}
      {action}
    </div>
  );
}
