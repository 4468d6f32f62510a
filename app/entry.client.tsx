import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { readLocaleFrom } from "./portal/locale.ts";

// Hydrate with the locale that the server rendered with, and keep it for every later page.
const { lang } = document.documentElement;
readLocaleFrom(() => lang);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
