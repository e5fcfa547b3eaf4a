import { isRouteErrorResponse } from "react-router";
import { type Unsent, useUnsent } from "./keep-form.ts";
import { Icon } from "#app/ui/components/icons.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { useArrivalFocus } from "#app/ui/hooks/use-arrival-focus.ts";
import { referenceIdOf } from "./early-errors.ts";
import { rootMessages } from "#app/root.messages.ts";

/** Shown above a form whose submission failed on the way: it is still filled in. */
export function UnsentNotice() {
  const unsent = useUnsent();
  return unsent && <WhatHappened unsent={unsent} />;
}

function WhatHappened({ unsent: { error } }: { unsent: Unsent }) {
  const { broken, unsent, unavailable, unreached } = useMessages(rootMessages);
  const focusable = useArrivalFocus(true);
  // Browsers throw a TypeError for a site that they can't reach.
  const isUnreached = error instanceof TypeError;
  // The site is under maintenance, which isn't a bug.
  const isUnavailable = isRouteErrorResponse(error) && error.status === 503;
  const message = isUnreached ? unreached : isUnavailable ? unavailable : unsent;
  const reference = isUnreached || isUnavailable ? null : referenceIdOf(error);
  return (
    <div className="flash">
      <div className="notice notice-problem" role="alert" {...focusable}>
        <Icon name="alert" />
        <div>
          <h2 className="notice-title">{message.title}</h2>
          <div className="notice-body">
            <p>{message.text}</p>
            {reference && <p>{broken.reference(reference)}</p>}
          </div>
        </div>
      </div>
    </div>
  );
}
