/** When callers are told to come back: a restore of the database takes minutes. */
export const maintenanceRetrySeconds = 300;
