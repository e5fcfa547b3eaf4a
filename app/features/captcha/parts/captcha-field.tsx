import { useEffect, useRef, useState } from "react";
import { FieldError, FieldHint } from "#app/ui/components/forms/field-frame.tsx";

/** The widget, in a form that was refused for want of a captcha. It adds its token to the form. */
export function CaptchaField({
  script = "",
  siteKey = "",
  action = "",
  label,
  hint = "",
  broken = "",
  withoutScript,
}: Readonly<Record<string, string>>) {
  const place = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const show = async (element: HTMLElement) => {
      // A chunk of its own: the pages of these forms rarely need it.
      const { showCaptcha } = await import("./show-captcha.ts");
      showCaptcha(element, { script, siteKey, action }, setBroken);
    };
    if (place.current) show(place.current).catch(() => setBroken(true));
  }, [script, siteKey, action]);
  return (
    <div role="group" aria-labelledby="captcha-label" aria-describedby="captcha-hint">
      <div className="field needs-script">
        <p className="field-label" id="captcha-label">
          {label}
        </p>
        <FieldHint id="captcha" hint={hint} />
        <div ref={place} className="challenge" />
        <div role="alert">{isBroken && <FieldError id="captcha" error={broken} />}</div>
      </div>
      {/* With scripts, the browser keeps its content as text. */}
      <noscript suppressHydrationWarning>
        <p>{withoutScript}</p>
      </noscript>
    </div>
  );
}
