/** Where it stood when its owner looked. */
export type Look = { at: number; ahead: number; friends: number };

/** Two of them: whoever loads the page again within the hour still sees how it moved since the time before. */
export type Looks = { last: Look; before: Look | null };
