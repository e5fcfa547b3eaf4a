/** Languages that every messages file has; adding a second one makes the compiler require it in each file. */
export const languages = ["en"] as const;
export type Language = (typeof languages)[number];

/** The texts of one page or email, in every language. */
export type Messages<Texts> = Record<Language, Texts>;
