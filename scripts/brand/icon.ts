/** Ink on paper, as on the site in light mode, since a browser's tab may be light or dark. */
const paper = "#f7f5f0";
const ink = "#1f1b16";

/** The icon for browser tabs: the logo, as its component renders it, on a tile. */
export function iconOf(logo: string): string {
  const [, attributes = "", drawing] = /^<svg([^>]*)>(.*)<\/svg>$/s.exec(logo) ?? [];
  const viewBox = / viewBox="[^"]+"/.exec(attributes)?.[0];
  if (!viewBox || !drawing) throw new Error("Logo in app/product/logo.tsx has to be one <svg> with a viewBox");
  const tile = `<rect width="36" height="36" rx="7" fill="${paper}"/>`;
  // A little above the middle, where it looks centred.
  const inside = `<svg x="2" y="1" width="32" height="32"${viewBox} color="${ink}">${drawing}</svg>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">${tile}${inside}</svg>\n`;
}
