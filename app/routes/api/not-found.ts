import { apiRoute } from "#app/api/api-route.server.ts";

/** Every path below `/api` that does not exist. */
export const action = apiRoute();
export { action as loader };
