import type { MessageOverrides } from "#app/message-overrides.ts";

/**
 * Your own sentences in place of Foyer's, on pages, in emails and in error messages. Search app for the sentence: the constant that its
 * file exports is the key here, then the language, then the text's place. A text that is a function takes the same arguments:
 *
 *   loginMessages: { en: { title: "Welcome back", problems: { "email-missing": "Which address is yours?" } } },
 *   accountEmails: { en: { code: (content, { product }) => ({ subject: `${product}: ${content.code}`, … }) } },
 */
export const messages: MessageOverrides = {};
