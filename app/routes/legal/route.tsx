import { data } from "react-router";
import { appContext } from "#app/http/request/contexts.ts";
import { revertLifeMs } from "#app/modules/accounts/address-change.rules.ts";
import { dayMs, formatDay } from "#app/core/time/time.ts";
import { pageTitle } from "#app/http/page/page-title.ts";
import { socialPicture } from "#app/http/page/social-picture.ts";
import { useMessages } from "#app/ui/hooks/use-messages.ts";
import { StatusIllustration } from "#app/ui/components/feedback/status-illustration.tsx";
import { ReadingPage } from "#app/ui/components/layout/page-shell.tsx";
import { formatMoney } from "#app/core/money/money.ts";
import { buyerKeptYears } from "#app/modules/billing/documents/rules.ts";
import { intervals } from "#app/core/time/interval.ts";
import { comparesCustomers, freePlan, intervalsOf } from "#app/modules/catalogue/rules.ts";
import { dataOfFeatures, featuresOn, gatePages } from "#app/features.ts";
import type { Route } from "./+types/route";
import { legalPageMessages } from "./messages.ts";
import { isLegalPage, legalMessages } from "#app/product/legal/messages.ts";

export const meta: Route.MetaFunction = ({ loaderData, matches }) => [
  { title: pageTitle(legalMessages.en[loaderData.page].title, matches) },
  { tagName: "link", rel: "canonical", href: loaderData.canonical },
  ...socialPicture(loaderData.canonical, "landing", legalMessages.en[loaderData.page].lead(loaderData.facts), matches),
];

export function loader({ context, params }: Route.LoaderArgs) {
  if (!isLegalPage(params.page)) throw data(null, { status: 404 });
  const { product, origin, diagnostics, challenge, gate } = context.get(appContext);
  const { addressForms } = legalPageMessages.en;
  const waitsIn = gate.kind === "none" ? null : gatePages().messages.en.name;
  const facts = {
    product: product.name,
    seller: product.seller,
    imprint: product.imprint ?? [],
    support: product.support,
    version: dayIn(product.terms.version, product.locale),
    withdrawalDays: product.withdrawalDays,
    intervals: intervals.filter((interval) => product.plans.some((plan) => intervalsOf(plan).includes(interval))),
    afterFirstTerm: product.afterFirstTerm,
    hasCancellationPage: product.cancellationPage === "on",
    hasFreePlan: freePlan(product) !== null,
    waitsIn,
    ofAccount: featuresOn(product).flatMap(({ messages }) => messages.en.ofAccount ?? []),
    revertDays: revertLifeMs / dayMs,
    ofFeatures: featuresOn(product).flatMap(
      ({ messages }) =>
        messages.en.privacy?.({
          challenge: challenge?.provider ?? null,
          addressForms: addressForms(waitsIn),
        }) ?? [],
    ),
    thirdParties: (product.thirdParties ?? []).map(({ name, purpose, privacyUrl, stores, pages = "public" }) => ({
      name,
      purpose,
      privacyUrl,
      stores,
      pages,
    })),
    errorReceiver: diagnostics && (product.errorReceiver ?? new URL(diagnostics.dsn).host),
    friendDiscount:
      product.referral.state === "open"
        ? formatMoney({ amountMinor: product.referral.friendDiscountMinor, currency: product.currency }, product.locale)
        : null,
    comparesCustomers: comparesCustomers(product),
    erased: dataOfFeatures(product, "erased"),
    taxRecordYears: buyerKeptYears,
  };
  return { page: params.page, canonical: `${origin}/legal/${params.page}`, facts };
}

/** A version that is a date is formatted; any other version name is shown unchanged. */
function dayIn(version: string, locale: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(version) ? formatDay(Date.parse(version), { locale, timeZone: "UTC" }) : version;
}

/** `split` with a group leaves the addresses at the odd indexes. */
function withLinks(text: string) {
  const parts = text.split(/(https:\/\/\S+)/);
  if (parts.length === 1) return text;
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <a href={part} key={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

/** A page with more sections than this begins with a list of them. */
const sectionsWithoutListMax = 3;

const idOf = (index: number) => `section-${index + 1}`;

export default function Legal({ loaderData: { page, facts } }: Route.ComponentProps) {
  const messages = useMessages(legalMessages)[page];
  const { contents } = useMessages(legalPageMessages);
  const sections = messages.sections(facts);
  return (
    <ReadingPage
      title={messages.title}
      lead={messages.lead(facts)}
      picture={page === "imprint" ? <StatusIllustration state="nameplate" /> : undefined}
    >
      {sections.length > sectionsWithoutListMax && (
        <nav aria-labelledby="contents">
          <h2 id="contents">{contents}</h2>
          <ol>
            {sections.map(({ title }, index) => (
              <li key={title}>
                <a href={`#${idOf(index)}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      {sections.map((section, index) => (
        <section key={section.title} id={idOf(index)}>
          <h2>{section.title}</h2>
          {section.text.map((text) =>
            typeof text === "string" ? (
              <p key={text}>{withLinks(text)}</p>
            ) : (
              <ul key={text[0]}>
                {text.map((point) => (
                  <li key={point}>{withLinks(point)}</li>
                ))}
              </ul>
            ),
          )}
        </section>
      ))}
    </ReadingPage>
  );
}
