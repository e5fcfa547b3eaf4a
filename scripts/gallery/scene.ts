import type { Action } from "./actions.ts";

export type Scene<Who extends string = string> = {
  name: string;
  /** `{…}` is replaced by the people's own data: for demo people `{order}` is their newest order, `{link}` their link. */
  path: string;
  who: Who;
  status?: number;
  action?: Action;
  /** The feature that adds it. */
  feature?: string;
};
