import { dateFormat } from "../text/formats.ts";

/**
 * Time zone names. CLDR, the calendar data in runtimes, uses each zone's original name; people, browsers and the IANA list use the
 * current one. Both mean the same offsets. We store and show the current name.
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

/** The zone's current name, for any of its aliases. Null if the runtime has no such zone, or if it is nobody's, like "Factory". */
export function readTimeZone(name: string): string | null {
  try {
    const zone = nameNow(dateFormat("en", { timeZone: name }).resolvedOptions().timeZone);
    return fixedOffset.test(zone) || listed().includes(zone) ? zone : null;
  } catch {
    return null;
  }
}

/** A fixed offset, as ships and some systems have it: no place, so it isn't in the runtime's list. */
const fixedOffset = /^(Etc\/GMT[+-]\d{1,2}|[+-]\d\d:\d\d)$/;

/** Cached, because the runtime is slow to list them. UTC isn't in its list. */
let known: string[] | undefined;

function listed(): string[] {
  return (known ??= [...new Set([...Intl.supportedValuesOf("timeZone").map(nameNow), "UTC"])].sort());
}

/** The zones a user can choose from; the stored one need not be in the runtime's list. */
export function listTimeZones(chosen: string): readonly string[] {
  return listed().includes(chosen) ? listed() : [...listed(), chosen].sort();
}

/** The first valid zone of these: what a browser reports may be anything. */
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
