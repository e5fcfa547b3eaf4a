import { data, Form, redirect } from "react-router";
import { askForCode } from "#app/request/ask-for-code.ts";
import { type App, appContext } from "#app/context.ts";
import { browserCookie, flashCookie, readCookie, sessionCookie } from "#app/request/cookies.ts";
import { proveAddress, type Proven } from "#app/domain/accounts/prove-address.server.ts";
import { verifyForm } from "#app/domain/accounts/rules.ts";
import { findOwnRequest, type ShownRequest, showRequest } from "#app/domain/accounts/show-request.server.ts";
import { type Code, type Purpose, readDigits, type TryRefusal } from "#app/domain/codes/rules.ts";
import { parseEmailAddress } from "#app/domain/kernel/email-address.ts";
import { secondsUntil } from "#app/domain/kernel/time.ts";
import { afterProof } from "#app/domain/product/rules.ts";
import { attributeReferral } from "#app/domain/referrals/attribute-referral.server.ts";
import { FormRefusalNotice } from "#app/request/form-refusal.tsx";
import { findFlood } from "#app/request/flood.ts";
import { readForm } from "#app/request/read-form.ts";
import { Button } from "#app/ui/button.tsx";
import { useWords } from "#app/ui/language.ts";
import { FormPage } from "#app/ui/page-shell.tsx";
import { describeVisitor } from "#app/request/visitor.ts";
import type { Route } from "./+types/verify";
import { verifyWords } from "./verify.words.ts";
import { asFormRefusal, type Refusal, VerifyForm } from "./verify-form.tsx";

export { passHeaders as headers } from "#app/request/pass-headers.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: `${loaderData?.kind === "here" ? verifyWords.en.title[loaderData.purpose] : verifyWords.en.elsewhere.title} · ${loaderData?.product ?? ""}`,
  },
  { name: "robots", content: "noindex" },
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const shown = await showRequest(app, url.searchParams.get("request"), readCookie(request, "browser"));
  if (shown.kind === "absent") throw redirect("/login", 303);
  const page = {
    ...shown,
    product: app.product.name,
    support: app.product.support,
    sender: app.mailFrom,
    filledIn: readDigits(url.searchParams.get("code") ?? ""),
    now: app.clock(),
  };
  // The mail's link brings the code into the page: nobody keeps a copy.
  return data(page, { headers: { "Cache-Control": "no-store" } });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const form = await readForm(request, verifyForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const { intent, code } = form.value;
  const browserToken = readCookie(request, "browser");
  const asked = await findOwnRequest(app, url.searchParams.get("request"), browserToken, intent === "continue-here");
  if (!asked) return data({ reason: "no-request" as const }, { status: 409 });
  if (intent) return goAnotherWay(app, request, asked, intent);
  const digits = readDigits(code ?? "");
  if (!digits) return data({ reason: code ? ("code-malformed" as const) : ("code-missing" as const) }, { status: 422 });
  const { ip, device, place } = describeVisitor(request);
  const flood = await findFlood(app, ip);
  if (flood) return refuse(app, flood);
  const sessionToken = readCookie(request, "session");
  const proof = { requestId: asked.id, digits, browserToken: browserToken ?? "", sessionToken, device, place };
  const proven = await proveAddress(app, proof);
  return proven.ok ? welcome(app, request, proven.value, proof.browserToken) : refuse(app, proven.refusal);
}

/** The buttons beside the code: another address, another mail, or this browser instead of the one that asked. */
async function goAnotherWay(
  app: App,
  request: Request,
  asked: Code,
  intent: "change-address" | "resend" | "continue-here",
) {
  const { purpose, carried } = asked;
  if (intent === "change-address") return redirect(startAgain(purpose, carried), 303);
  const address = parseEmailAddress(asked.addressTyped);
  if (!address) return data({ reason: "no-request" as const }, { status: 409 });
  const accountId = asked.accountId ?? undefined;
  return askForCode(app, request, { address, purpose, carried, accountId, again: intent === "resend" });
}

/** The sequence of a proven address: the referral is attributed, the browser remembered, and on to where it was going. */
async function welcome(app: App, request: Request, proven: Proven, browserToken: string) {
  const { referralCode } = proven.carried;
  // Whoever proved the address is in, whatever happens here; the sweep finds what was not attributed.
  if (proven.isNew && referralCode) {
    await attributeReferral(app, { friendId: proven.accountId, code: referralCode }).catch(app.report);
  }
  const headers = new Headers();
  headers.append("Set-Cookie", sessionCookie(proven.sessionToken));
  headers.append("Set-Cookie", browserCookie(browserToken));
  if (proven.isNew) headers.append("Set-Cookie", flashCookie("welcome"));
  if (proven.purpose === "fresh-proof") headers.append("Set-Cookie", flashCookie("confirmed"));
  const visit = await app.visits
    .remember(request, { signedInBy: "code", ...(proven.isNew && { referral: null }) })
    .catch(() => null);
  if (visit) headers.append("Set-Cookie", visit);
  return redirect(afterProof(app.product, proven.carried, proven.requestId), { status: 303, headers });
}

function refuse(app: App, refusal: TryRefusal | NonNullable<Awaited<ReturnType<typeof findFlood>>>) {
  if (!("retryAt" in refusal)) return data(refusal, { status: refusal.reason === "wrong-code" ? 422 : 409 });
  const seconds = secondsUntil(refusal.retryAt, app.clock());
  return data({ ...refusal, seconds }, { status: 429, headers: { "Retry-After": String(seconds) } });
}

/** The form that asked, with the choice that it held. */
function startAgain(purpose: Purpose, { planId, interval }: { planId?: string; interval?: string }): string {
  switch (purpose) {
    case "sign-in":
      return "/login";
    case "sign-up":
      return planId ? `/signup?${new URLSearchParams({ plan: planId, interval: interval ?? "month" })}` : "/signup";
    case "change-email":
    case "fresh-proof":
      return "/settings";
  }
}

export default function Verify({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  if (page.kind === "elsewhere") return <Elsewhere page={page} refusal={refusal} />;
  return <VerifyForm page={page} refusal={refusal} />;
}

type ElsewherePage = Extract<ShownRequest, { kind: "elsewhere" }> & { filledIn: string | null };

/** The mail's link was opened in another browser than the one that asked: a phone's mail program, say. */
function Elsewhere({ page, refusal }: { page: ElsewherePage; refusal: Refusal | undefined }) {
  const { elsewhere } = useWords(verifyWords);
  const grouped = page.filledIn && `${page.filledIn.slice(0, 4)} ${page.filledIn.slice(4)}`;
  return (
    <FormPage title={elsewhere.title} lead={grouped ? elsewhere.lead : elsewhere.leadWithoutCode}>
      {grouped && <p className="code-shown">{grouped}</p>}
      <FormRefusalNotice refusal={refusal && asFormRefusal(refusal)} problems={{}} />
      <p>{elsewhere.or}</p>
      <Form method="post">
        <Button name="intent" value="continue-here" wide>
          {elsewhere.button(page.maskedAddress)}
        </Button>
      </Form>
    </FormPage>
  );
}
