/** The tax id types supported here, of the hundred that Stripe supports. */
export const TAX_ID_TYPES = ["ch_vat", "eu_vat", "gb_vat", "no_vat"] as const;
type TaxIdType = (typeof TAX_ID_TYPES)[number];

/** The format after a member state's prefix, as the European Commission publishes it; XI is Northern Ireland. */
const EU_VAT: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12})$/,
};

const OTHERS: Record<Exclude<TaxIdType, "eu_vat">, { shape: RegExp; country: string }> = {
  ch_vat: { shape: /^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$/, country: "CH" },
  gb_vat: { shape: /^GB(\d{9}|\d{12}|(GD|HA)\d{3})$/, country: "GB" },
  no_vat: { shape: /^\d{9}MVA$/, country: "NO" },
};

/** The country of a tax id; null if it doesn't match the format of its type. No tax authority is queried. */
export function countryOfTaxId(type: TaxIdType, value: string): string | null {
  if (type !== "eu_vat") return OTHERS[type].shape.test(value) ? OTHERS[type].country : null;
  const prefix = value.slice(0, 2);
  if (EU_VAT[prefix]?.test(value.slice(2)) !== true) return null;
  // Greece is the one state whose prefix isn't its country.
  return prefix === "EL" ? "GR" : prefix === "XI" ? "GB" : prefix;
}

const EU_COUNTRIES: readonly string[] = Object.keys(EU_VAT).flatMap((prefix) =>
  prefix === "XI" ? [] : [prefix === "EL" ? "GR" : prefix],
);

export const isEuCountry = (country: string): boolean => EU_COUNTRIES.includes(country);

/** The VAT id of a member state; Northern Ireland's is for goods only. */
export const isEuVatId = (value: string): boolean => isEuCountry(countryOfTaxId("eu_vat", value) ?? "");

export interface TypedTaxId {
  type: TaxIdType;
  value: string;
}

/** A customer types a number, not a type: the type is the one whose format matches. */
export function readTaxId(typed: string): TypedTaxId | null {
  const value = typed.replaceAll(/\s/g, "").toUpperCase();
  const type = TAX_ID_TYPES.find((each) => countryOfTaxId(each, value) !== null);
  return type === undefined ? null : { type, value };
}
