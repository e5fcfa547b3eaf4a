/** What a User-Agent header tells, for a person to recognise in a list; never used to decide anything. */
export function recogniseBrowser(userAgent: string): { browser: string | null; system: string | null } {
  return { browser: firstOf(browsers, userAgent), system: firstOf(systems, userAgent) };
}

/** In order: most of them say as well that they are those below. */
const browsers: [string, RegExp][] = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
];

const systems: [string, RegExp][] = [
  ["iOS", /iPhone|iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["ChromeOS", /CrOS/],
  ["Linux", /Linux/],
];

function firstOf(names: [string, RegExp][], userAgent: string): string | null {
  return names.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
}
