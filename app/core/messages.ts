/** Languages that every messages file has; the compiler asks each of them for a second one. */
export const languages = ["en"] as const;
export type Language = (typeof languages)[number];

/** The texts of one page or email, in every language. */
export type Messages<Texts> = Record<Language, Texts>;
