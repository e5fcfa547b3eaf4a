/** Places whose identifiers lack an apostrophe or a space. */
const spelled: Record<string, string> = { DumontDUrville: "Dumont d'Urville", St_Johns: "St John's" };

/** "America/Argentina/Buenos_Aires" is the region America and the places Argentina and Buenos Aires; UTC is a region of no places. */
export function splitTimeZone(zone: string): { region: string; places: string[] } {
  const [region = zone, ...places] = zone.split("/").map((part) => spelled[part] ?? part.replaceAll("_", " "));
  return { region, places };
}

/** "Europe/Stockholm" as "Stockholm". */
export function placeOfTimeZone(zone: string): string {
  const { region, places } = splitTimeZone(zone);
  return places.at(-1) ?? region;
}
