import type { ReactNode } from "react";
import { Notice, type NoticeKind } from "./notice.tsx";

/** The one message that follows an action. It stands in the flow, so it covers nothing and stays until the next page. */
export function Flash({ kind, children }: { kind: NoticeKind; children: ReactNode }) {
  return (
    <div className="flash">
      <Notice kind={kind} live>
        {children}
      </Notice>
    </div>
  );
}
