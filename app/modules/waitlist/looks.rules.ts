/** The position that the owner saw. */
export type Look = { at: number; ahead: number; friends: number };

/** Two visits: reloading within the hour still shows the movement since the previous one. */
export type Looks = { last: Look; before: Look | null };
