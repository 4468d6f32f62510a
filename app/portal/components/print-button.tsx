import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** Only where there are scripts: without them the browser's own menu prints. */
export const PrintButton = () => {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready ? (
    <Button type="button" onClick={() => window.print()}>
      Print
    </Button>
  ) : null;
};
