import { useEffect, useRef, useState } from "react";
import { showCaptcha } from "#app/client/show-captcha.ts";
import { FieldError, FieldHint } from "#app/ui/components/forms/field-frame.tsx";
import { type CaptchaRefusal, isCaptchaWanted } from "./is-captcha-wanted.ts";

/** In a form that was refused for want of a captcha: the widget, which adds its token to the form; nothing in any other. */
export function CaptchaField({ refusal }: { refusal: { reason: string } | undefined }) {
  return isCaptchaWanted(refusal) ? <Captcha {...refusal.captcha} /> : null;
}

function Captcha({ script, siteKey, action, label, hint, broken, withoutScript }: CaptchaRefusal["captcha"]) {
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (place.current) showCaptcha(place.current, { script, siteKey, action }, setBroken);
  }, [script, siteKey, action]);
  return (
    <div role="group" aria-labelledby="captcha-label" aria-describedby="captcha-hint">
      <div className="field needs-script">
        <p className="field-label" id="captcha-label">
          {label}
        </p>
        <FieldHint id="captcha" hint={hint} />
        {/* The mark makes every way out of this page load a document (app/ui/hooks/third-party-scripts.ts). */}
        <div ref={place} className="captcha" data-third-party="" />
        <div role="alert">{isBroken && <FieldError id="captcha" error={broken} />}</div>
      </div>
      {/* With scripts, the browser keeps its content as text. */}
      <noscript suppressHydrationWarning>
        <p>{withoutScript}</p>
      </noscript>
    </div>
  );
}
