import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { readLocaleFrom } from "./portal/locale.ts";

// As the document was rendered, so it is hydrated, and every page after it.
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
