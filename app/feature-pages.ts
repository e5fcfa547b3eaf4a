import type { ComponentType } from "react";

/** What a feature shows in pages of the core. */
export type FeaturePages = {
  name: string;
  /** The field of its challenge (app/core/challenge.ts). */
  ChallengeField?: ComponentType<Readonly<Record<string, string>>>;
};
