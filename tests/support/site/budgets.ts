/**
 * What the site may weigh, in bytes after gzip -9, and how long it may take to start. tests/http/site/size-limits.test.ts checks it, `npm run bench --
 * sizes` shows it.
 */
export const budgets = {
  /** All files of the Worker; the platform takes 3 MB (free) or 10 MB. */
  worker: 690_000,
  /**
   * What a browser loads so that a page's scripts run; every page is complete without them. The heaviest page measured has 144 kB: 107
   * are React and React Router, and 21 are what at least three pages share, of which each uses a part, texts of features among them.
   */
  scripts: 145_500,
  /** All style sheets of a page. */
  styles: 12_300,
  /** Of all pages together; a font is compressed already. */
  fonts: 31_000,
  /** The first page of a new isolate, as a multiple of a bare page's time. `npm run bench -- sizes` fails above it. */
  firstPage: 1.8,
};
