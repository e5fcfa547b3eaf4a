import type { Words } from "#app/ui/language.ts";

const en = { pictured: (address: string) => `The first screen of ${address}` };

export const socialPictureWords: Words<typeof en> = { en };
