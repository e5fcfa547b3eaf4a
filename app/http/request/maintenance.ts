/** `Retry-After` under maintenance: a restore of the database takes minutes. */
export const maintenanceRetrySeconds = 300;
