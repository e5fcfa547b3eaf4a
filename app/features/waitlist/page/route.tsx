import { data, href, redirect } from "react-router";
import { appContext, viewerContext } from "#app/http/request/contexts.ts";
import { joinSignedIn, joinWaitlist } from "../commands/join-waitlist.server.ts";
import { showWaitlist } from "../reads/show-waitlist.server.ts";
import { findTouch } from "#app/modules/referrals/reads/find-touch.server.ts";
import { holdToSession } from "#app/http/session/hold-to-session.server.ts";
import { encodeQrCode } from "#app/ui/components/data/encode-qr-code.server.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { enteredAddressCookie, readEnteredAddress } from "#app/http/request/cookies.ts";
import { readForm } from "#app/http/forms/read-form.ts";
import { describeVisitor } from "#app/http/request/visitor.ts";
import { askChallenge, proveHuman, sentAnswer } from "#app/http/forms/ask-challenge.ts";
import { refuseMistypedDomain } from "#app/http/forms/refuse-mistyped-domain.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import type { Route } from "./+types/route";
import { submitLink, submitEntry, entryPath, refuseWaitlistForm, sentPath } from "./actions.ts";
import { waitlistMessages } from "./messages.ts";
import { ConfirmPage, JoinPage, SentPage, ShutPage, UnknownLinkPage } from "./pages.tsx";
import { EntryPage } from "./entry.tsx";
import { joinForm, joinKnownForm } from "./form.ts";

export { passHeaders as headers } from "#app/http/page/pass-headers.ts";
export { clientAction } from "#app/client/keep-form.ts";

export const meta: Route.MetaFunction = ({ loaderData: page, matches }) => [
  {
    title: pageTitle(
      page?.kind === "join" ? waitlistMessages.en.join.title(page.what) : waitlistMessages.en.title,
      matches,
    ),
  },
  ...(page?.kind === "join" || (page?.kind === "shut" && page.reason !== "no-gate")
    ? [
        { tagName: "link", rel: "canonical", href: page.canonical } as const,
        ...socialPicture(
          page.canonical,
          { name: "waitlist", alt: waitlistMessages.en.picture },
          describe(page),
          matches,
        ),
      ]
    : [{ name: "robots", content: "noindex" }]),
];

function describe(
  page: { kind: "join"; what: string } | { kind: "shut"; reason: keyof typeof waitlistMessages.en.shut; what: string },
): string {
  const { join, shut } = waitlistMessages.en;
  return page.kind === "join" ? join.lead(page.what) : shut[page.reason].text(page.what);
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const shown = await showWaitlist(
    app,
    Object.fromEntries(url.searchParams),
    (await context.get(viewerContext))?.account ?? null,
    readEnteredAddress(request),
  );
  if (shown.kind === "own") throw redirect(entryPath(shown.entryToken), 303);
  const page = { ...shown, product: app.product.name, canonical: `${app.origin}${href("/waitlist")}` };
  const isPublic = page.kind === "join" || page.kind === "shut";
  // The page of an emailed link must not be cached.
  const init = {
    status: page.kind === "link-unknown" ? 404 : 200,
    headers: isPublic ? undefined : { "Cache-Control": "no-store" },
  };
  return data(page.kind === "entry" ? { ...page, qr: await encodeQrCode(page.shareUrl) } : page, init);
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { entry, confirm, ref } = Object.fromEntries(url.searchParams);
  const viewer = await context.get(viewerContext);
  if (entry !== undefined) return submitEntry({ request, context }, entry, viewer);
  if (confirm !== undefined) return submitLink({ request, context }, confirm);
  if (viewer) {
    const form = readForm(context, joinKnownForm);
    if (!form.ok) return refuseWaitlistForm(app, form.refusal);
    const joined = await joinSignedIn(
      holdToSession(app, viewer.session, url),
      viewer.account,
      form.value.ref ?? ref ?? null,
      describeVisitor(request).ip,
    );
    return joined.ok ? redirect(entryPath(joined.value.entryToken), 303) : refuseWaitlistForm(app, joined.refusal);
  }
  const form = readForm(context, joinForm);
  if (!form.ok) return refuseWaitlistForm(app, form.refusal);
  const { email, ...others } = form.value;
  const answer = sentAnswer(app, context);
  const suggested = refuseMistypedDomain(url, email, { ...others, ...answer });
  if (suggested) return suggested;
  const [touch, proof] = await Promise.all([findTouch(app, request), proveHuman(app, "waitlist", answer)]);
  const { ip } = describeVisitor(request);
  const joined = await joinWaitlist(app, { address: email, ref: others.ref ?? ref ?? null, touch, ip, proof });
  if (joined.ok)
    return redirect(sentPath(), { status: 303, headers: { "Set-Cookie": enteredAddressCookie(email.original) } });
  const { refusal } = joined;
  if (refusal.reason !== "challenge-wanted") return refuseWaitlistForm(app, refusal);
  const typed = { ref: others.ref, intent: others.intent, email: email.original };
  return askChallenge(app, refusal, { form: "waitlist", proof, typed });
}

export default function Waitlist({ loaderData: page, actionData: refusal }: Route.ComponentProps) {
  switch (page.kind) {
    case "join":
      return <JoinPage page={page} refusal={refusal} />;
    case "shut":
      return <ShutPage page={page} refusal={refusal} />;
    case "sent":
      return <SentPage page={page} refusal={refusal} />;
    case "confirm":
      return <ConfirmPage page={page} refusal={refusal} />;
    case "entry":
      return <EntryPage page={page} refusal={refusal} />;
    case "link-unknown":
      return <UnknownLinkPage />;
  }
}
