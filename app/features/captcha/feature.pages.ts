import type { FeaturePages } from "#app/feature-pages.ts";
import { CaptchaField } from "./parts/captcha-field.tsx";

export const captcha: FeaturePages = { name: "captcha", ChallengeField: CaptchaField };
