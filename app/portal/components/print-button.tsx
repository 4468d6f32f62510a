import { useEffect, useState } from "react";
import { Button, type ButtonSize } from "./button.tsx";

/** Only where there are scripts: without them the browser's own menu prints. */
export const PrintButton = ({ size = "medium" }: { size?: ButtonSize }) => {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready ? (
    <Button type="button" size={size} onClick={() => window.print()}>
      Print
    </Button>
  ) : null;
};
