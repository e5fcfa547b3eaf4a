import { data, Form, redirect, href } from "react-router";
import { askForCode } from "#app/http/codes/ask-for-code.ts";
import { refuseUntil } from "#app/http/forms/refuse-until.ts";
import { askedBefore } from "#app/http/codes/asked-before.ts";
import type { App } from "#app/app.ts";
import { appContext, sessionCookieContext, viewerContext } from "#app/http/request/contexts.ts";
import { logInForm } from "./form.ts";
import { newToken } from "#app/core/id.ts";
import { readPath } from "#app/core/text/path.ts";
import { offerSignIn } from "#app/modules/accounts/passkeys/reads/offer-passkey.server.ts";
import { signInWithPasskey } from "#app/modules/accounts/passkeys/commands/sign-in-with-passkey.server.ts";
import { writeSessionCookie } from "#app/modules/accounts/session-cookie.rules.ts";
import { browserCookie, sessionCookie } from "#app/http/request/cookies.ts";
import { findRateLimit } from "#app/core/rate-limiter.ts";
import { sentAnswer } from "#app/http/forms/ask-challenge.ts";
import { isChallengeWanted } from "#app/http/forms/is-challenge-wanted.ts";
import { AddressRefusalNotice, useAddressFields } from "#app/http/forms/address-refusal.tsx";
import { pageTitle } from "#app/http/page/page-title.ts";
import { isPasskeyRefusal, refusePasskey } from "#app/http/forms/passkey-refusal.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { Button } from "#app/ui/components/forms/button.tsx";
import { EmailField } from "#app/ui/components/forms/field.tsx";
import { Icon } from "#app/ui/components/icons.tsx";
import { Link } from "#app/ui/components/link.tsx";
import { documentForm } from "#app/ui/hooks/document-form.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { FormPage } from "#app/ui/components/layout/page-shell.tsx";
import { usePending } from "#app/ui/hooks/use-pending.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import type { Route } from "./+types/route";
import { ChallengeField } from "../challenge-field.tsx";
import { loginMessages } from "./messages.ts";
import { sayWhy } from "./say-why.ts";
import { PasskeyForm } from "#app/client/passkey-form.tsx";
import { useSignalUnknown } from "#app/client/signal-passkeys.ts";
import { PasskeyProblemNotice } from "#app/client/passkey-problem.tsx";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  { title: pageTitle(loginMessages.en.title, matches) },
  { tagName: "link", rel: "canonical", href: loaderData?.canonical },
  ...socialPicture(loaderData?.canonical, "login", loginMessages.en.lead, matches),
];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const redirectTo = readPath(url.searchParams.get("redirectTo"));
  if (await context.get(viewerContext)) throw redirect(redirectTo ?? href("/settings"), 303);
  const before = await askedBefore(app, request, url, "sign-in");
  const page = {
    canonical: app.origin + href("/login"),
    signedInBy: (await app.visits.read(request)).signedInBy,
    typedBefore: before?.addressTyped,
    offer: await offerSignIn(app),
    why: sayWhy(app, redirectTo),
  };
  // The page contains an address the user typed, so it must not be cached.
  return before ? data(page, { headers: { "Cache-Control": "no-store" } }) : page;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = readForm(context, logInForm);
  if (!form.ok) return data(form.refusal, { status: form.refusal.status });
  const app = context.get(appContext);
  const redirectTo = readPath(form.value.redirectTo ?? url.searchParams.get("redirectTo")) ?? undefined;
  if (form.value.intent === "passkey") {
    const sessionToken = context.get(sessionCookieContext)?.sessionToken ?? null;
    return signIn(app, request, { passkey: form.value.passkey, sessionToken, redirectTo });
  }
  const { email } = form.value;
  const answer = sentAnswer(app, context);
  const suggested = refuseMistypedDomain(url, email, answer);
  if (suggested) return suggested;
  const challenge = { answer, typed: { email: email.original } };
  return askForCode(app, request, { address: email, purpose: "sign-in", carried: { redirectTo }, challenge });
}

type Shown = { passkey: string | undefined; sessionToken: string | null; redirectTo: string | undefined };

async function signIn(app: App, request: Request, { passkey, sessionToken, redirectTo }: Shown) {
  const { ip, ...visitor } = describeVisitor(request);
  const limited = await findRateLimit(app, "codes", ip);
  if (limited) return refuseUntil(limited, app.clock());
  const browserToken = visitor.browserToken ?? newToken(app.random);
  const browser = { ...visitor, browserToken, sessionToken };
  const signedIn = await signInWithPasskey(app, passkey, browser);
  if (!signedIn.ok) return refusePasskey(signedIn.refusal);
  const headers = new Headers();
  headers.append("Set-Cookie", sessionCookie(await writeSessionCookie(app.pepper, signedIn.value)));
  headers.append("Set-Cookie", browserCookie(browserToken));
  const visit = await app.visits.remember(request, { signedInBy: "passkey" }).catch(() => null);
  if (visit) headers.append("Set-Cookie", visit);
  return redirect(redirectTo ?? href("/settings"), { status: 303, headers });
}

export default function LogIn({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  const messages = useMessages(loginMessages);
  const pending = usePending("email");
  const { problemOf, typedIn } = useAddressFields(refusal, messages.problems);
  const isByPasskey = page.signedInBy === "passkey";
  const unknownId = refusal && "unknownId" in refusal ? refusal.unknownId : undefined;
  useSignalUnknown(page.offer.options.rpId ?? "", unknownId);
  return (
    <FormPage
      title={messages.title}
      lead={
        <>
          {page.why && `${page.why} `}
          {page.signedInBy ? messages.lastTime[page.signedInBy] : <Lead />}
        </>
      }
      aside={<SignUpHint />}
    >
      {refusal && isPasskeyRefusal(refusal) ? (
        <PasskeyProblemNotice problem={refusal.reason} />
      ) : (
        <AddressRefusalNotice refusal={refusal} problems={messages.problems} onlyField="email" />
      )}
      <PasskeyForm
        intent="passkey"
        ceremony="sign-in"
        offer={page.offer}
        autofill
        wide
        kind={isByPasskey ? "primary" : "quiet"}
        label={
          <>
            <Icon name="key" /> {messages.passkey}
          </>
        }
        pendingLabel={messages.asking}
        below={<p className="or needs-script">{messages.or}</p>}
      />
      <Form method="post" className="stack" noValidate {...(isChallengeWanted(refusal) && documentForm)}>
        <EmailField
          label={messages.email}
          autoComplete="username webauthn"
          defaultValue={typedIn("email") ?? page.typedBefore}
          autoFocus={page.typedBefore !== undefined || problemOf("email") !== undefined}
          error={problemOf("email")}
        />
        <ChallengeField refusal={refusal} />
        <Button kind={isByPasskey ? "quiet" : "primary"} wide pending={pending} pendingLabel={messages.pending}>
          {messages.submit}
        </Button>
      </Form>
    </FormPage>
  );
}

/** A passkey needs scripts, so without them the page offers only the code. */
function Lead() {
  const messages = useMessages(loginMessages);
  return (
    <>
      <span className="needs-script">{messages.lead}</span>
      {/* With scripts, browsers keep the content as raw text, where "&#x27;" isn't an apostrophe, so hydration would differ. */}
      <noscript suppressHydrationWarning>{messages.leadWithoutScript}</noscript>
    </>
  );
}

function SignUpHint() {
  const messages = useMessages(loginMessages);
  return (
    <p>
      {messages.signUp} <Link to={href("/signup")}>{messages.signUpLink}</Link>
    </p>
  );
}
