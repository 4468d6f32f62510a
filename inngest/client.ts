import { Inngest } from "inngest";

/** In `dev`, the local Inngest server is used and signatures are not checked; the configuration refuses it in production. */
export const inngestClient = (config: { signingKey: string; eventKey: string | null; dev: boolean }): Inngest =>
  new Inngest({
    id: "shipping-route-data-service",
    isDev: config.dev,
    signingKey: config.signingKey,
    ...(config.eventKey === null ? {} : { eventKey: config.eventKey }),
  });
