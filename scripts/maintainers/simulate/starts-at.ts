export const startsAt = Date.UTC(2027, 0, 4, 9);
