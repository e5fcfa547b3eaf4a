import type { ReactNode } from "react";
import { href } from "react-router";
import { Link } from "#app/ui/components/link.tsx";

type PageShellProps = {
  brand: { name: string };
  logo: ReactNode;
  nav: ReactNode;
  /** Shown first on every page. */
  banner?: ReactNode;
  footer: ReactNode;
  skipMessages: string;
  /** The id of the main content, after all navigation. */
  skipTo?: string;
  children: ReactNode;
};

/** The frame of every page: logo, navigation, `<main>`, footer. */
export function PageShell({
  brand,
  logo,
  nav,
  banner,
  footer,
  skipMessages,
  skipTo = "main",
  children,
}: PageShellProps) {
  return (
    <div className="page">
      <header className="page-header">
        <a className="skip-link" href={`#${skipTo}`}>
          {skipMessages}
        </a>
        <Link className="brand" to={href("/")}>
          {logo}
          {brand.name}
        </Link>
        {nav && <nav>{nav}</nav>}
      </header>
      {banner && <aside className="page-banner">{banner}</aside>}
      <main className="page-main" id="main" tabIndex={-1}>
        {children}
      </main>
      {footer}
    </div>
  );
}

type HeadedProps = { title: ReactNode; lead?: ReactNode; children: ReactNode };

/** One column, one question, one main action. */
export function FormPage({
  title,
  lead,
  children,
  aside,
  picture,
}: HeadedProps & { aside?: ReactNode; picture?: ReactNode }) {
  return (
    <div className="form-page">
      <div className="form-page-column">
        {picture}
        <PageHeading title={title} lead={lead} />
        {children}
        {aside && <div className="form-page-aside">{aside}</div>}
      </div>
    </div>
  );
}

/** For long texts that are read from top to bottom. */
export function ReadingPage({ title, lead, children, picture }: HeadedProps & { picture?: ReactNode }) {
  return (
    <article className="reading-page">
      {picture}
      <PageHeading title={title} lead={lead} />
      {children}
    </article>
  );
}

export function WidePage({ children }: { children: ReactNode }) {
  return <div className="wide-page">{children}</div>;
}

function PageHeading({ title, lead }: { title: ReactNode; lead?: ReactNode }) {
  return (
    <header>
      <h1>{title}</h1>
      {lead && <p className="page-lead">{lead}</p>}
    </header>
  );
}
