import { dateFormat } from "../text/formats.ts";

/**
 * Names of time zones. The calendar data that runtimes carry (CLDR's) keep for each zone the name that it had first; people, browsers
 * and the zones' own list (IANA's) know it by the one that it has now. Both mean the same hours. We store and show the newer.
 */
const renamed = new Map(
  Object.entries({
    "Africa/Asmera": "Africa/Asmara",
    "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
    "America/Catamarca": "America/Argentina/Catamarca",
    "America/Coral_Harbour": "America/Atikokan",
    "America/Cordoba": "America/Argentina/Cordoba",
    "America/Godthab": "America/Nuuk",
    "America/Indianapolis": "America/Indiana/Indianapolis",
    "America/Jujuy": "America/Argentina/Jujuy",
    "America/Louisville": "America/Kentucky/Louisville",
    "America/Mendoza": "America/Argentina/Mendoza",
    "Asia/Calcutta": "Asia/Kolkata",
    "Asia/Katmandu": "Asia/Kathmandu",
    "Asia/Rangoon": "Asia/Yangon",
    "Asia/Saigon": "Asia/Ho_Chi_Minh",
    "Atlantic/Faeroe": "Atlantic/Faroe",
    "Europe/Kiev": "Europe/Kyiv",
    "Pacific/Enderbury": "Pacific/Kanton",
    "Pacific/Ponape": "Pacific/Pohnpei",
    "Pacific/Truk": "Pacific/Chuuk",
  }),
);

/** The zone's present name, whatever it was called by; null: the runtime knows no such zone. */
export function readTimeZone(name: string): string | null {
  try {
    return nameNow(dateFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  } catch {
    return null;
  }
}

/** Once made, kept: the runtime takes its time to tell of them. UTC is none of its own. */
let known: string[] | undefined;

/** What somebody can choose from; the chosen one need not be among what is known. */
export function listTimeZones(chosen: string): readonly string[] {
  known ??= [...new Set([...Intl.supportedValuesOf("timeZone").map(nameNow), "UTC"])].sort();
  return known.includes(chosen) ? known : [...known, chosen].sort();
}

/** The first of these that is a zone: what a browser says of itself may be anything. */
export function firstTimeZone(...names: (string | null | undefined)[]): string | null {
  for (const name of names) {
    const zone = name ? readTimeZone(name) : null;
    if (zone) return zone;
  }
  return null;
}

function nameNow(name: string): string {
  return renamed.get(name) ?? name;
}
