/** The position that the owner saw. */
export type SeenPosition = { at: number; ahead: number; friends: number };

/** Two visits: reloading within the hour still shows the movement since the previous one. */
export type SeenPositions = { last: SeenPosition; before: SeenPosition | null };
