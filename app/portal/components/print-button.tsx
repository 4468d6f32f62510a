import { useEffect, useState } from "react";
import { Button, type ButtonSize } from "./button.tsx";

/** Rendered only with scripts. Without them the browser's menu prints. */
export const PrintButton = ({ size = "medium" }: { size?: ButtonSize }) => {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return ready ? (
    <Button type="button" size={size} onClick={() => window.print()}>
      Print
    </Button>
  ) : null;
};
