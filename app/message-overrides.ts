import type { MessageFiles } from "message-files";
import type { Messages, PartOf } from "#app/core/messages.ts";

/** What the messages files export, by name: all but those of app/product, which a team edits in place. */
type Exported = UnionToIntersection<MessageFiles[number]>;
type UnionToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A product's own texts: the name of a messages constant, the language, and any of its texts. */
export type MessageOverrides = {
  readonly [Name in keyof Exported as Exported[Name] extends Messages<object> ? Name : never]?: PartOf<Exported[Name]>;
};
