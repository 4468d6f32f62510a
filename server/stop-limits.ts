/** How long each part of a shutdown may take. Together less than 25 seconds: many supervisors kill after 30. */
export const stopLimitsMs = { requests: 11_000, service: 6_000, database: 6_000 };
