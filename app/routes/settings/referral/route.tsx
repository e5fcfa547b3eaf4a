import type { App } from "#app/app.ts";
import { appContext } from "#app/http/request/contexts.ts";
import { formatPrice } from "#app/core/money/money.ts";
import { creditMonths } from "#app/modules/billing/credit/rules.ts";
import { rewardHoldDays } from "#app/modules/referrals/reward.rules.ts";
import { discountMonths } from "#app/modules/referrals/rules.ts";
import { showReferrals } from "#app/modules/referrals/reads/show-referrals.server.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { encodeQrCode } from "#app/ui/components/data/encode-qr-code.server.ts";
import { signedIn } from "#app/http/session/signed-in.ts";
import { CopyField } from "#app/ui/components/forms/copy-field.tsx";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { Notice } from "#app/ui/components/feedback/notice.tsx";
import { Questions } from "#app/ui/components/data/questions.tsx";
import { QrCode } from "#app/ui/components/data/qr-code.tsx";
import { SectionCard } from "#app/ui/components/layout/section-card.tsx";
import { SettingsPage } from "#app/ui/components/layout/settings-shell.tsx";
import { ShareButton } from "#app/ui/components/forms/share-button.tsx";
import type { Route } from "./+types/route";
import { referralMessages } from "./messages.ts";
import { Credit, Ledger } from "./credit.tsx";
import { Friends, Results } from "./friends.tsx";
import type { ReferralPage } from "./page-data.ts";

export const meta: Route.MetaFunction = ({ matches }) => [
  { title: pageTitle(referralMessages.en.title, matches) },
  { name: "robots", content: "noindex" },
];

export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { accountId, viewer } = signedIn(context);
  const reader = viewer.then(({ account }) => account);
  const [shown, { locale, timeZone }] = await Promise.all([showReferrals(app, accountId, reader), reader]);
  const qr = shown.url === null ? null : await encodeQrCode(shown.url);
  return { locale, timeZone, ...shown, qr, ...termsOf(app.product, locale) };
}

/** What both sides get, null for nothing, and on which conditions. */
function termsOf(sold: App["product"], locale: string) {
  const { referral, currency, name: product } = sold;
  const price = (amountMinor: number) => formatPrice({ amountMinor, currency }, locale);
  const given = (amountMinor: number) => (amountMinor > 0 ? price(amountMinor) : null);
  const amounts = {
    discount: given(referral.friendDiscountMinor),
    credit: given(referral.referrerCreditMinor),
    // The discount is refunded and doesn't count towards the amount, so the friend has to pay that much more.
    qualifying: price(referral.qualifyingAmountMinor + referral.friendDiscountMinor),
  };
  return {
    product,
    currency,
    amounts,
    limits: { ...referral, holdDays: rewardHoldDays(sold), discountMonths, creditMonths },
  };
}

export default function Referral({ loaderData: page }: Route.ComponentProps) {
  const messages = useMessages(referralMessages);
  const { amounts, limits } = page;
  const isOpen = page.url !== null;
  return (
    <SettingsPage title={messages.title} lead={isOpen ? <Offer page={page} /> : messages.off.lead}>
      {isOpen ? (
        <OwnLink page={page} />
      ) : (
        <Notice kind="info" title={messages.off.title}>
          {messages.off.text}
        </Notice>
      )}
      {(isOpen || page.friends.length > 0) && (
        <>
          <Results page={page} />
          <Friends page={page} />
        </>
      )}
      <Credit page={page} />
      <Ledger page={page} />
      {isOpen && (
        <SectionCard title={messages.rules.title}>
          <Questions items={messages.rules.items(amounts, limits)} />
        </SectionCard>
      )}
    </SettingsPage>
  );
}

function Offer({ page: { amounts, limits } }: { page: ReferralPage }) {
  const { offer, lead } = useMessages(referralMessages);
  const slogan = offer(amounts);
  return (
    <>
      {slogan !== null && <strong className="page-offer">{slogan}</strong>} {lead(amounts, limits)}
    </>
  );
}

function OwnLink({ page }: { page: ReferralPage }) {
  const { link: messages } = useMessages(referralMessages);
  if (page.url === null || page.qr === null) return null;
  return (
    <SectionCard title={messages.title}>
      <CopyField label={messages.label} value={page.url} messages={messages} />
      <ShareButton
        title={messages.shareTitle(page.product, page.amounts.discount)}
        url={page.url}
        messages={messages}
      />
      <QrCode {...page.qr} label={messages.qr} />
    </SectionCard>
  );
}
